//@ assert: safe
//@ open: explicit

#include <assert.h>

extern int table[300];

int main(void) {
    int x = table[7];
    if (x == 5) {
        assert(table[7] == 5);
    }
    return 0;
}
