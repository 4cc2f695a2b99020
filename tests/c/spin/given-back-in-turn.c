//@ assert: unsafe
//@ because: the main thread gives back one lock after the other, and each lets one of the threads go on
//@ twin: given-back-in-turn-both-set.c

#include <assert.h>
#include <pthread.h>

static int f1, f2;
static pthread_spinlock_t a, b;

static void *first(void *arg) {
    pthread_spin_lock(&a);
    f1 = 1;
    pthread_spin_unlock(&a);
    return arg;
}

static void *second(void *arg) {
    pthread_spin_lock(&b);
    f2 = 1;
    pthread_spin_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_spin_init(&a, 0);
    pthread_spin_init(&b, 0);
    pthread_spin_lock(&a);
    pthread_spin_lock(&b);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    for (;;) {
        if (!f1) {
            pthread_spin_unlock(&a);
            pthread_spin_lock(&a);
        } else if (!f2) {
            pthread_spin_unlock(&b);
            pthread_spin_lock(&b);
        } else {
            break;
        }
    }
    assert(0); // error: reached
}
