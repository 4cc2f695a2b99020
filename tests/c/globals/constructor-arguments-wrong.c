//@ assert: unsafe
//@ because: constructors get the arguments of main, as in glibc
//@ twin: constructor-arguments.c

#include <assert.h>

static int count;

__attribute__((constructor)) static void remember(int argc, char **argv) {
    count = argc;
}

int main(int argc, char **argv) {
    assert(count == 0);   // error: it is argc
}
