//@ assert: unsafe
//@ because: a variable may be set
//@ twin: environ-ends.c

#include <assert.h>

extern char **environ;

int main(void) {
    assert(!environ[0]);  // error: there can be one
    return 0;
}
