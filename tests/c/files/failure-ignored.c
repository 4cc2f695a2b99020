//@ assert: unsafe
//@ because: a call that fails sets errno
//@ twin: failure-sets-errno.c

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    errno = 0;
    int file = open("file", O_RDONLY);
    if (file < 0)
        assert(errno == 0);  // error: it says why
}
