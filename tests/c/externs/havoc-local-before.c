//@ assert: safe
//@ args: --extern havoc

#include <assert.h>

extern int fill(char *p);

int main(void) {
    char x = 0;
    fill(&x);
    char first = x;
    assert(x == first);
    fill(&x);
}
