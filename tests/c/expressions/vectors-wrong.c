//@ assert: unsafe
//@ because: vectors are added element by element
//@ twin: vectors.c

#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f2 __attribute__((vector_size(8)));

static v4 add(v4 a, v4 b) { return a + b; }

v4 g = {1, 2, 3, 4};

int main(void) {
    v4 r = add(g, (v4){10, 20, 30, 40});
    assert(r[0] == 10);  // error: eleven
    int i = 2;
    r[i] = 0;
    assert(r[2] == 0 && r[1] == 22);
    v4 less = g < (v4){2, 2, 2, 2};
    assert(less[0] == -1 && less[1] == 0);
    f2 f = {1.5f, 2.5f};
    f *= 2;
    assert(f[0] == 3.0f && f[1] == 5.0f);
    v4 s = __builtin_shufflevector(g, g, 3, 2, 1, 0);
    assert(s[0] == 4);
}
