//@ assert: safe

#include <assert.h>

int main(void) {
    int minus = -1;
    unsigned one = 1;
    assert(minus > one);
    long sum = minus + 1L;
    assert(sum == 0);
    char c = (char)300;
    assert(c == 44);
    _Bool truth = 256;
    assert(truth == 1);
    assert(sizeof(minus + 1L) == sizeof(long));
    assert((-7) / 2 == -3 && (-7) % 2 == -1);
}
