//@ assert: unsafe
//@ because: a descriptor that was closed is given out again
//@ twin: descriptors-differ.c

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int a = open("a", O_RDONLY);
    if (a < 0)
        return 0;
    close(a);
    int b = open("b", O_RDONLY);
    assert(a != b);  // error: a is free
}
