//@ assert: unsafe
//@ because: a memcpy that the program defines is the program's
//@ twin: own-copy-that-copies.c

#include <assert.h>
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size) { return to; }

int main(void) {
    int x = 1, y = 2;
    memcpy(&x, &y, sizeof x);
    assert(x == 2);   // error: nothing was copied
}
