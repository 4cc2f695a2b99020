//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int file = open("name", O_RDONLY);
    int closed = close(file);
    assert(file >= 0 || (closed == -1 && errno == EBADF));
}
