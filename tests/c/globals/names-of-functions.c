//@ assert: safe

#include <assert.h>

int index = 3;
int round, log[4];

int main(void) {
    assert(index == 3);
}
