//@ assert: unsafe
//@ because: a function that the program defines is the program's
//@ twin: own-function-wins.c

#include <assert.h>

int rand(void) { return 4; }
void *malloc(unsigned long size) { static char pool[64]; return size > 64 ? 0 : pool; }

int main(void) {
    assert(rand() == 5);  // error: always 4
    assert(malloc(100) == 0);
    char *p = malloc(8);
    p[0] = 1;
    assert(p == malloc(16) && *(char *)malloc(4) == 1);
}
