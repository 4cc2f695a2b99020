//@ assert: unsafe
//@ because: destructors run after main
//@ twin: destructors.c

#include <assert.h>

static int state;
__attribute__((destructor)) static void last(void) { assert(state == 0); }  // error: main has set it

int main(void) {
    state = 1;
    return 0;
}
