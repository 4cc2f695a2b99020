//@ assert: unsafe
//@ because: an undefined weak function is null
//@ twin: weak.c

#include <assert.h>

extern int missing(void) __attribute__((weak));
__attribute__((weak)) int present(void) { return 1; }

int main(void) {
    assert(missing);  // error: nobody defines it
    assert(present() == 1);
}
