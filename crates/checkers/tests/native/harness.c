/* Runs a program many times with random choices, and prints how often it fails. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
int program(void);
static jmp_buf start;
static unsigned long long state = 1;
static int ticks;
static unsigned choice(unsigned end)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % end;
}
_Noreturn void stop(void) { longjmp(start, 1); }
_Noreturn void fail(const char *a, const char *b, unsigned int c, const char *d)
{
    (void)a; (void)b; (void)c; (void)d;
    longjmp(start, 2);
}
long __VERIFIER_nondet_long(void) { return (long)choice(5) - 2; }
int __VERIFIER_nondet_int(void) { return (int)choice(2); }
void tick(void)
{
    if (++ticks > 60)
        stop();
}
int main(int count, char **arguments)
{
    volatile int run = 0, failed = 0;
    int runs = count > 1 ? atoi(arguments[1]) : 1;
    switch (setjmp(start)) {
    case 2: failed++; break;
    }
    while (run < runs) {
        run++;
        ticks = 0;
        program();
    }
    printf("%d\n", failed);
    return 0;
}
