//@ assert: unsafe
//@ because: the function that an undefined variable holds may return
//@ twin: function-in-undefined.c
//@ open: explicit lazy

#include <assert.h>

extern void (*callback)(int);

int main(void) {
    callback(1);
    assert(0);
}
