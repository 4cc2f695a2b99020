//@ assert: safe
//@ open: explicit

#include <assert.h>
#include <sys/socket.h>

char buffer[2];

int main(void) {
    if (recv(0, buffer, 1, 0) < 1) assert(buffer[0] == 0);
    assert(buffer[1] == 0);
}
