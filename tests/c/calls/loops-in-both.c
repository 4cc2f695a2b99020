//@ assert: unsafe
//@ because: the second function counts two at a time
//@ twin: loops-in-both-checked.c

#include <assert.h>

int __VERIFIER_nondet_int(void);
static int n;
static void by_one(int k) {
    for (int i = 0; i < k; i++) {
        n += 1;
    }
}
static void by_two(int k) {
    while (k > 0) {
        n += 2;
        k--;
    }
}

int main(void) {
    void (*f)(int) = __VERIFIER_nondet_int() ? by_one : by_two;
    f(2);
    f(3);
    assert(n == 5); // error: 10 by the other function
}
