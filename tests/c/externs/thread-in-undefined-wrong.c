//@ assert: unsafe
//@ because: the function that an undefined variable holds may return, as a thread too
//@ twin: thread-in-undefined.c
//@ open: explicit lazy

#include <assert.h>
#include <pthread.h>

struct work {
    void *(*run)(void *);
    void *arg;
};
extern struct work work;

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work.run, work.arg);
    pthread_join(t, 0);
    assert(0);
}
