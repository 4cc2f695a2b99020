//@ assert: safe
//@ because: the signal ends the program; sending signals is not supported
//@ open: explicit lazy comus product

#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>

int main(void) {
    gsignal(SIGKILL);
    assert(0);
}
