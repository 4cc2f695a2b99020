//@ assert: safe
//@ args: --error-function abort

#include <stdlib.h>

static void nothing(void) {}

int main(void) {
    atexit(nothing);
}
