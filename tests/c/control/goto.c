//@ assert: safe

#include <assert.h>

int main(void) {
    int n = 0;
again:
    n++;
    if (n < 3) goto again;
    assert(n == 3);
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) {
            if (i * j == 42) goto found;
        }
    }
    assert(0);
found:;
    static void *steps[] = {&&add, &&twice, &&done};
    int program[] = {0, 1, 1, 2}, pc = 0, value = 1;
    goto *steps[program[pc++]];
add:
    value += 2;
    goto *steps[program[pc++]];
twice:
    value *= 2;
    goto *steps[program[pc++]];
done:
    assert(value == 12);
}
