// This program is meant over mathematical integers: `long` stands for them, and no overflow is intended.

extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
extern long __VERIFIER_nondet_long(void);
extern int __VERIFIER_nondet_int(void);

void reach_error(void)
{
    __assert_fail("0", "program.c", 1, "reach_error");
}
