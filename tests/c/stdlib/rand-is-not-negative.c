//@ assert: safe

#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(1);
    assert(rand() >= 0);
}
