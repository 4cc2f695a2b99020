//@ assert: safe

#include <assert.h>

int main(void) {
    int x;
    x = 5;
    for (int i = 0; i < 2; i++) {
        int y;
        if (i == 0) y = 3; else y = 4;
        x += y;
    }
    assert(x == 12);
}
