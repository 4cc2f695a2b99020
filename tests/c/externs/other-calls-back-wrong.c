//@ assert: unsafe
//@ because: this alarm gets a function, which it may call
//@ twin: other-calls-back.c
//@ open: explicit lazy

void reach_error(void) {}
extern int alarm(void (*)(void));
static int x;
static void set(void) { x = 1; }

int main(void) {
    alarm(set);
    if (x) reach_error();
}
