//@ assert: unsafe
//@ because: open may fail, and there is nothing to close then
//@ twin: close-of-none.c

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int file = open("name", O_RDONLY);
    int closed = close(file);
    assert(closed == 0);  // error: can fail
}
