//@ assert: safe

#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);

static int next(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static int (*chosen)(int);

int main(void) {
    if (__VERIFIER_nondet_bool()) chosen = next;
    else chosen = twice;
    assert(chosen(1) == 2);
}
