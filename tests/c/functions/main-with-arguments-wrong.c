//@ assert: unsafe
//@ because: there is the name of the program and nothing else
//@ twin: main-with-arguments.c

#include <assert.h>

int main(int argc, char **argv) {
    assert(argc == 2);  // error: one
    assert(argv[0] && argv[0][0]);
    assert(!argv[1]);
}
