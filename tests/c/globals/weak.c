//@ assert: safe

#include <assert.h>

extern int missing(void) __attribute__((weak));
__attribute__((weak)) int present(void) { return 1; }

int main(void) {
    assert(!missing);
    assert(present() == 1);
}
