//@ assert: safe
//@ because: each member is written before the thread that compares it is started
//@ twin: compared-then-followed-wrong.c
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct task {
    void (*done)(void);
    int *at;
};
struct local {
    int *at;
    int size;
};

int here, there, called;

void finish(void) { called = 1; }

void *follow(void *arg) {
    struct task *task = arg;
    if (task->done == finish)
        called = 2;
    if (task->done)
        task->done();
    if (task->at == &here)
        called = 3;
    if (task->at)
        *task->at = 1;
    return 0;
}

void *look(void *arg) {
    struct local *local = arg;
    if (local->at == &there)
        called = 4;
    if (local->at)
        *local->at = 2;
    return 0;
}

int main(void) {
    pthread_t follower, looker;
    struct task *task = malloc(sizeof *task);
    task->done = 0;
    task->at = 0;
    struct local local;
    local.at = 0;
    pthread_create(&follower, 0, follow, task);
    pthread_join(follower, 0);
    pthread_create(&looker, 0, look, &local);
    pthread_join(looker, 0);
    assert(!called && !here && !there);
}
