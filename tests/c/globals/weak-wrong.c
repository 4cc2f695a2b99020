//@ assert: unsafe
//@ because: a weak function that the library has is not null
//@ twin: weak.c

#include <assert.h>

extern void abort(void) __attribute__((weak));
__attribute__((weak)) int present(void) { return 1; }

int main(void) {
    assert(!abort);   // error: every C library has it
    assert(present() == 1);
}
