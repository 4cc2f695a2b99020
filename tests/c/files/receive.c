//@ assert: unsafe
//@ because: recv stores what came
//@ twin: receive-nothing.c

#include <assert.h>
#include <sys/socket.h>

char buffer[2];

int main(void) {
    recv(0, buffer, 2, 0);
    assert(buffer[1] == 0);   // error: stored
}
