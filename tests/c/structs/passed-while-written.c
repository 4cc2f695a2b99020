//@ assert: unsafe
//@ because: a struct that is passed by value is read member by member, whatever the pointer to it is declared to point to
//@ twin: passed-as-one-integer.c

#include <assert.h>
#include <pthread.h>

struct pair {
    int a, b;
} shared;

static void check(struct pair p) {
    assert(p.a == p.b);  // error: 0 and 1
}

static void (*through)(struct pair) = check;

static void *writer(void *arg) {
    *(volatile long *)&shared = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t thread;
    void *pointer = &shared;
    pthread_create(&thread, 0, writer, 0);
    through(*(struct pair *)pointer);
}
