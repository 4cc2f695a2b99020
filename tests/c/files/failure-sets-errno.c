//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    errno = 0;
    int file = open("file", O_RDONLY);
    if (file < 0)
        assert(errno != 0);
    errno = 0;
    if (unlink("file") != 0)
        assert(errno > 0);
    else
        assert(errno == 0);
}
