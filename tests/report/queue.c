// A ring buffer: the consumer looks at the entry without the lock.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct entry {
    unsigned len;
    char tag;
    bool ready;
};

static struct {
    unsigned head, tail;
    struct entry buf[3];
    pthread_mutex_t m;
} q = {.m = PTHREAD_MUTEX_INITIALIZER};

static void put(unsigned len, char tag) {
    pthread_mutex_lock(&q.m);
    struct entry *e = &q.buf[q.tail % 3];
    q.tail++;
    e->tag = tag;
    e->len = len;
    e->ready = true;
    pthread_mutex_unlock(&q.m);
}

static void *producer(void *arg) {
    put(4000000000u, 'a');
    put(7, 'b');
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    if (q.head != q.tail) {
        struct entry *e = &q.buf[q.head];
        assert(e->ready);
        q.head++;
    }
    pthread_join(t, 0);
}
