//@ assert: unsafe
//@ because: the second element is locked while the first is changed
//@ twin: in-heap.c

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t m;
    int money;
};

static struct account *all;

static void *worker(void *arg) {
    int i = *(int *)arg;
    pthread_mutex_lock(&all[i].m);
    all[0].money = all[0].money + 1;
    pthread_mutex_unlock(&all[i].m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int which[2] = {0, 1};
    all = malloc(2 * sizeof *all);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&all[i].m, 0);
        all[i].money = 0;
    }
    pthread_create(&a, 0, worker, &which[0]);
    pthread_create(&b, 0, worker, &which[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(all[0].money == 2);           // error: can fail
    free(all);
}
