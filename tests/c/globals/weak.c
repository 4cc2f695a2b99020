//@ assert: safe

#include <assert.h>

extern void abort(void) __attribute__((weak));
__attribute__((weak)) int present(void) { return 1; }

int main(void) {
    assert(abort);
    assert(present() == 1);
}
