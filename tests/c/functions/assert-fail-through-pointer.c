//@ assert: unsafe
//@ because: what fails is called through a pointer
//@ twin: assert-fail-not-called.c

extern void __assert_fail(const char *, const char *, unsigned, const char *);

static void (*fail)(const char *, const char *, unsigned, const char *) = __assert_fail;

int main(void) {
    if (fail) {
        fail("x", "y.c", 1, "main");
    }
    return 0;
}
