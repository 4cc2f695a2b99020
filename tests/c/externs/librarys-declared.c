//@ assert: safe

void reach_error(void) {}
struct thread;
extern struct thread *pthread_self(void);
extern int pthread_equal(struct thread *, struct thread *), pthread_join(struct thread *, void **);
extern int pthread_create(struct thread **, void *, void *(*)(void *), void *);
extern void *malloc(unsigned long);
extern void free(void *), exit(int), abort(void), sleep(long);
extern int printf(const char *, ...), usleep();
extern int __VERIFIER_assume(int);

static void *f(void *arg) {
    *(int *)arg = 1;
    return arg;
}

int main(void) {
    struct thread *t;
    int *p = malloc(sizeof *p);
    if (!p) abort();
    pthread_create(&t, 0, f, p);
    pthread_join(t, 0);
    sleep(1);
    usleep(5);
    __VERIFIER_assume(!pthread_equal(t, pthread_self()));
    printf("%d %p\n", *p, p);
    if (*p != 1) reach_error();
    free(p);
    exit(0);
}
