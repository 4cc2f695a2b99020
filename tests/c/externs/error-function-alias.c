//@ assert: unsafe
//@ because: a call by the name is a violation, also where the name stands for another function
//@ twin: error-function-alias-other.c

void fail(void) {}
void reach_error(void) __attribute__((alias("fail")));

void (*volatile handler)(void) = reach_error;

int main(void) {
    handler();
}
