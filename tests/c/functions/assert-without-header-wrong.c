//@ assert: unsafe
//@ because: assert is the assertion, declared or not
//@ twin: assert-without-header.c

static long x;

int main(void) {
    x = 1L << 40;
    assert(x == 1);  // error: it is more
    return 0;
}
