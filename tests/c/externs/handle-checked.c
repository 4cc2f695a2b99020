//@ assert: safe

#include <assert.h>

extern void *take(int n);
extern void give(void *handle);

int x;

int main(void) {
    void *handle = take(1);
    if (handle == 0) return 0;
    give(handle);
    assert(x == 0);
}
