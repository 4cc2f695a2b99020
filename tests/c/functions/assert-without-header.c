//@ assert: safe

static long x;

int main(void) {
    x = 1L << 40;
    assert(x);
    return 0;
}
