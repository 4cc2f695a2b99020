//@ assert: safe
//@ open: explicit

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node *mine;
static int limit;

static void push(struct node *node, int value) {
    struct node *old = top;
    node->value = value;
    node->next = old;
    if (!atomic_compare_exchange_strong(&top, &old, node))
        exit(0);
}

static struct node *pop(void) {
    struct node *old = top;
    if (!old)
        return 0;
    struct node *next = old->next;
    return atomic_compare_exchange_strong(&top, &old, next) ? old : 0;
}

static void *popper(void *arg) {
    pop();
    return arg;
}

static void *worker(void *arg) {
    struct node *a = pop();
    struct node *b = pop();
    if (a && b) {
        mine = b;
        push(malloc(sizeof *a), 3);
    }
    return arg;
}

int main(void) {
    pthread_t one, two;
    limit = __VERIFIER_nondet_int();
    push(malloc(sizeof(struct node)), 1);
    push(malloc(sizeof(struct node)), 2);
    pthread_create(&one, 0, popper, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(!mine || top != mine || limit <= 5);
}
