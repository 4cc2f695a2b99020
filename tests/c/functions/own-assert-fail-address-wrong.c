//@ assert: unsafe
//@ because: a call of __assert_fail counts, also through its address and with a body
//@ twin: own-assert-fail-address.c

void mine(const char *text, const char *file, unsigned line, const char *function) {}
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((alias("mine")));

static void (*volatile h)(const char *, const char *, unsigned, const char *) = __assert_fail;

int main(void) {
    h("", "", 1, "");
}
