//@ assert: unsafe
//@ because: the number of arguments is an input
//@ twin: main-with-arguments.c

#include <assert.h>

int main(int argc, char **argv) {
    assert(argc == 1);  // error: any number is possible
}
