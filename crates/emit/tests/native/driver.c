/*
 * Runs a program printed by `unbraid sequentialize`, natively: `cc -include driver.h -c seq.c; cc driver.c seq.o -lm`.
 *
 *   a.out follow 2 1 2 ...   the labels at which the threads are stopped, one after the other; inputs are 0
 *   a.out search RUNS SEED   random schedules and random inputs
 *
 * Exit status: 10 when reach_error was called, 3 when (always) the execution was pruned, 0 when it (once) came to its end.
 *
 * Every run begins with the variables as they were at first: the data of the process is put back.  What the driver itself
 * must remember is therefore kept on the heap.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int driver_sequential(void);

enum { FINISHED = 0, PRUNED = 3, VIOLATED = 10 };

enum { ARENA = 1 << 20 };

static struct state {
    sigjmp_buf back;
    int count;
    char **labels;
    int searching;
    unsigned long long random;
    unsigned char arena[ARENA];
    unsigned long used;
} *state;

static unsigned long long random_bits(void)
{
    unsigned long long x = state->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return state->random = x;
}

unsigned int driver_next_switch(unsigned int from, unsigned int to)
{
    if (!state->searching) {
        if (state->count == 0)
            siglongjmp(state->back, PRUNED);
        state->count--;
        return (unsigned int)atoi(*state->labels++);
    }
    switch (random_bits() % 4) {
    case 0:
        return to;
    case 1:
        return from;
    default:
        return from + (unsigned int)(random_bits() % (to - from + 1));
    }
}

/* Small numbers, and now and then any. */
static unsigned long long input(void)
{
    if (!state->searching)
        return 0;
    switch (random_bits() % 8) {
    case 0:
        return random_bits();
    case 1:
        return (unsigned long long)-1;
    default:
        return random_bits() % 8;
    }
}

void reach_error(void)
{
    siglongjmp(state->back, VIOLATED);
}

void driver_pruned(void)
{
    siglongjmp(state->back, PRUNED);
}

/* Memory errors and divisions without a result end an execution. */
static void trapped(int signal)
{
    (void)signal;
    siglongjmp(state->back, PRUNED);
}

void *driver_fresh(unsigned long size)
{
    unsigned long start = (state->used + 63) & ~63ul;
    if (size > ARENA || start + size > ARENA)
        siglongjmp(state->back, PRUNED);
    state->used = start + size;
    for (unsigned long i = 0; i < size; i++)
        state->arena[start + i] = (unsigned char)input();
    return state->arena + start;
}

void *driver_fresh_zeroed(unsigned long count, unsigned long size)
{
    return memset(driver_fresh(count * size), 0, count * size);
}

void *driver_fresh_aligned(unsigned long align, unsigned long size)
{
    state->used = (state->used + align - 1) / align * align;
    return driver_fresh(size);
}

void driver_release(void *p)
{
    (void)p;
}

#define INPUT(name, type) \
    type __VERIFIER_nondet_##name(void) \
    { \
        return (type)input(); \
    }
INPUT(bool, _Bool)
INPUT(char, char)
INPUT(uchar, unsigned char)
INPUT(short, short)
INPUT(ushort, unsigned short)
INPUT(int, int)
INPUT(uint, unsigned int)
INPUT(long, long)
INPUT(ulong, unsigned long)
INPUT(longlong, long long)
INPUT(ulonglong, unsigned long long)
#ifdef __SIZEOF_INT128__
INPUT(int128, __int128)
INPUT(uint128, unsigned __int128)
#endif
INPUT(float, float)
INPUT(double, double)
INPUT(pointer, void *)

extern char __data_start[], _end[];

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    state = calloc(1, sizeof *state);
    state->count = argc - 2;
    state->labels = argv + 2;
    state->searching = strcmp(argv[1], "search") == 0;
    signal(SIGSEGV, trapped);
    signal(SIGBUS, trapped);
    signal(SIGFPE, trapped);
    size_t size = (size_t)(_end - __data_start);
    char *saved = malloc(size);
    memcpy(saved, __data_start, size);
    int ended[VIOLATED + 1] = { 0 };
    long runs = 1;
    if (state->searching) {
        runs = argc > 2 ? atol(argv[2]) : 1000;
        state->random = 88172645463325252ull ^ (argc > 3 ? strtoull(argv[3], 0, 10) * 0x9e3779b97f4a7c15ull : 0);
    }
    for (volatile long run = 0; run < runs && !ended[VIOLATED]; run++) {
        memcpy(__data_start, saved, size);
        state->used = 0;
        int how = sigsetjmp(state->back, 1);
        if (how == 0)
            driver_sequential();
        ended[how]++;
    }
    printf("finished %d, pruned %d, violated %d\n", ended[FINISHED], ended[PRUNED], ended[VIOLATED]);
    return ended[VIOLATED] ? VIOLATED : ended[FINISHED] ? FINISHED : PRUNED;
}
