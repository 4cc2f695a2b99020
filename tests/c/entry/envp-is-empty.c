//@ assert: unsafe
//@ because: a variable may be set
//@ twin: envp-is-there.c

#include <assert.h>

int main(int argc, char **argv, char **envp) {
    assert(!envp[0]);  // error: there can be one
    return 0;
}
