//@ assert: safe

void reach_error(void) {}
int pthread_create(), pthread_join();
static void *f(void *arg) { return arg; }

int main(void) {
    unsigned long t;
    pthread_create(&t, 0, f, 0);
    if (pthread_join(t, 0) != 0) reach_error();
}
