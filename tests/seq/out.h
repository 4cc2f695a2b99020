/* Numbers a program records: printed where it runs natively, read out of memory where it is interpreted. */
#ifndef OUT_H
#define OUT_H

#define OUT_MOST 4096

static long long out_count;
static long long out_lines[OUT_MOST];
static long long out_values[OUT_MOST];

static void out_at(long long line, long long value) {
    if (out_count < OUT_MOST) {
        out_lines[out_count] = line;
        out_values[out_count] = value;
        out_count++;
    }
}

static long long out_bits(double value) {
    union {
        double value;
        long long bits;
    } u;
    u.value = value;
    return u.bits;
}

/* An integer of any type. */
#define out(value) out_at(__LINE__, (long long)(value))
/* A floating-point number by its bits; no NaN, whose bits are the compiler's choice. */
#define out_double(value) out_at(__LINE__, out_bits(value))

#ifdef NATIVE
#include <stdio.h>
__attribute__((destructor)) static void out_print(void) {
    for (long long i = 0; i < out_count; i++)
        printf("%lld %lld\n", out_lines[i], out_values[i]);
}
#endif

#endif
