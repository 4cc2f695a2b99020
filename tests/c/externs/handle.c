//@ assert: unsafe
//@ because: a pointer from a function without a body may be null, and may be given back to such functions
//@ twin: handle-checked.c

#include <assert.h>

extern void *take(int n);
extern void give(void *handle);

int main(void) {
    void *handle = take(1);
    assert(handle != 0);   // error: it may be null
    give(handle);
}
