//@ assert: safe

#include <assert.h>

extern int table[3000];
static int i = 7;

int main(void) {
    if (sizeof table == 8) {
        assert(table[i] == 0);
    }
    return 0;
}
