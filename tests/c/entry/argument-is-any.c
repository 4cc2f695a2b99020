//@ assert: unsafe
//@ because: the second argument is an input
//@ twin: argument-is-what-it-is.c

#include <assert.h>

int main(int argc, char *argv[]) {
    if (argc > 2) {
        assert(argv[2][1] != 'x');  // error: it can be
    }
    return 0;
}
