//@ assert: safe

void fail(void) {}
void reach_error(void) __attribute__((alias("fail")));

void (*volatile handler)(void) = fail;

int main(void) {
    handler();
}
