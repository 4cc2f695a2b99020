//@ assert: safe
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
    assert(1);
}
