// Inputs, a loop, calls, an error function, and a local variable that another thread sees.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

struct job {
    int from, to;
    long sum;
};

static void *work(void *arg) {
    struct job *job = arg;
    for (int i = job->from; i < job->to; i++) {
        job->sum = job->sum + i;
    }
    return 0;
}

static void check(long sum, int n) {
    if (sum != n * (n - 1) / 2) {
        reach_error();
    }
}

int main(void) {
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 9);
    struct job job = {0, n, 0};
    pthread_create(&t, 0, work, &job);
    if (__VERIFIER_nondet_bool()) {
        job.to = 3;
    }
    pthread_join(t, 0);
    check(job.sum, n);
}
