//@ assert: unsafe
//@ because: what the library would do does not matter where a function is called whose being called is a violation
//@ twin: error-function-handler-other.c
//@ args: --error-function abort

#include <stdlib.h>

static void nothing(void) {}

int main(void) {
    atexit(abort);
}
