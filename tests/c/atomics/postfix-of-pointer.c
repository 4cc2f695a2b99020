//@ assert: safe

#include <assert.h>
#include <pthread.h>

int places[2];
int *_Atomic next = places;

static void *worker(void *arg) {
    int *own = next++;
    *own = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(places[0] == 1 && places[1] == 1);
    return 0;
}
