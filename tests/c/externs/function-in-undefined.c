//@ assert: safe
//@ open: explicit lazy

#include <assert.h>

extern void (*callback)(int);

int main(void) {
    callback(1);
    assert(1);
}
