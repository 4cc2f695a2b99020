//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    void *p = 0;
    assert(posix_memalign(&p, 16, 8) == 0 && p != 0);
    free(p);
    assert(posix_memalign(&p, 24, 8) == EINVAL);
    p = aligned_alloc(16, 32);
    assert(p != 0);
    free(p);
}
