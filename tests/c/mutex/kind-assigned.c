//@ assert: unsafe
//@ because: a mutex on the heap gets its kind from a literal
//@ twin: kind-assigned-recursive.c

#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    pthread_mutex_t m;
};

int main(void) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->m = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&node->m);
    assert(pthread_mutex_lock(&node->m) == 0);
}
