//@ assert: unsafe
//@ because: the compiler knows what strlen gives here, but a call of it is to be a violation
//@ twin: error-function-builtin-avoided.c
//@ args: --error-function strlen

#include <string.h>

int main(void) {
    return strlen("four") != 4;   // error: strlen is called
}
