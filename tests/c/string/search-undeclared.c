//@ assert: safe

// A function that compilers know has its type also where a program does not declare it.

#include <assert.h>

int main(void) {
    char s[] = "a\xff";
    assert(strchr(s, 0xff) == s + 1);
}
