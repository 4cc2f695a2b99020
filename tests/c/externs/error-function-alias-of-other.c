//@ assert: safe
//@ args: --error-function panic

void fail(void) {}
void panic(void) __attribute__((alias("fail")));
void stop(void) __attribute__((alias("fail")));

int main(void) {
    stop();
}
