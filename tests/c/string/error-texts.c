//@ assert: unsafe
//@ because: each number has its text: which one is not modelled
//@ twin: error-texts-printed.c
//@ open: explicit lazy comus product

#include <assert.h>
#include <string.h>

int main(void) {
    assert(strcmp(strerror(1), strerror(2)) == 0);
}
