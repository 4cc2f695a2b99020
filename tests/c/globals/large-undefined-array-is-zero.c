//@ assert: unsafe
//@ because: a variable that nobody defines holds anything
//@ twin: large-undefined-array-is-what-it-is.c

#include <assert.h>

extern int table[300];

int main(void) {
    assert(table[7] == 0);  // error: it holds anything
    return 0;
}
