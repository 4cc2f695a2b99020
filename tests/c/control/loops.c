//@ assert: safe

#include <assert.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        if (i & 1) continue;
        sum += i;
    }
    assert(sum == 20);
    int n = 0;
    do n++; while (n < 5);
    assert(n == 5);
    while (1) {
        if (--n == 0) break;
    }
    assert(n == 0);
    unsigned copy[10];
    int count = 10, *to = (int *)copy;
    switch (count % 4) {
    case 0: do { *to++ = count--;
    case 3: *to++ = count--;
    case 2: *to++ = count--;
    case 1: *to++ = count--;
            } while (count > 0);
    }
    assert(copy[0] == 10 && copy[9] == 1);
}
