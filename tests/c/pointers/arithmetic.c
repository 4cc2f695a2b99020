//@ assert: safe

#include <assert.h>
#include <stddef.h>

int a[5] = {1, 2, 3, 4, 5};

int main(void) {
    int *p = a;
    assert(p[2] == 3 && *(p + 2) == 3);
    int *q = &a[4];
    ptrdiff_t distance = q - p;
    assert(distance == 4);
    p++;
    assert(p[-1] == 1 && p < q);
    int **pp = &p;
    **pp = 20;
    assert(a[1] == 20);
    char *bytes = (char *)a;
    assert(bytes[sizeof(int) * 4] == 5);
}
