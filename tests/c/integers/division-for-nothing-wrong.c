//@ assert: unsafe
//@ because: the other thread may have written 1 before
//@ twin: division-for-nothing.c
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);
int any_number(int);
int z;

void *worker(void *arg)
{
    z = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    switch (__VERIFIER_nondet_int()) {
    case 0: if (5 / z) {} break;
    case 1: if (5 % z || 1) {} break;
    case 2: while (5 / z == 2) break; break;
    case 3: printf("%d\n", 5 / z); break;
    case 4: any_number(5 / z); break;
    case 5: __builtin_prefetch(&z + 5 / z); break;
    case 6: (5 / z) ? (void)0 : (void)0; break;
    case 7: __asm__ volatile("" : : "r"(5 / z)); break;
    case 8: (void)((5 / z ? 1 : 2) > 0 || z); break;
    default: __builtin_assume(z == 1); break;
    }
    assert(0); // error:
}
