//@ assert: unsafe
//@ because: a variable that nobody defines holds anything
//@ twin: huge-undefined-array-is-not-read.c
//@ open: explicit lazy

#include <assert.h>

extern int table[3000];
static int i = 7;

int main(void) {
    assert(table[i] == 0);  // error: it holds anything
    return 0;
}
