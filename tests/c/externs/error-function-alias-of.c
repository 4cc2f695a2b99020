//@ assert: unsafe
//@ because: another name for a function whose being called is a violation is a name for that
//@ twin: error-function-alias-of-other.c
//@ args: --error-function panic

void fail(void) {}
void panic(void) __attribute__((alias("fail")));
void stop(void) __attribute__((alias("panic")));

int main(void) {
    stop();   // error: that is panic
}
