//@ assert: unsafe
//@ because: there may be no argument
//@ twin: argument-is-there.c

#include <assert.h>

int main(int argc, char **argv) {
    
    assert(argv[1]);  // error: there may be none
    return 0;
}
