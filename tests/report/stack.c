// A stack of nodes on the heap, with a pop that another thread can get ahead of.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *top;
static int popped;

static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = top;
    top = n;
}

static void *pop(void *arg) {
    struct node *n = top;
    if (n != 0) {
        top = n->next;
        __atomic_fetch_add(&popped, 1, __ATOMIC_SEQ_CST);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    push(1);
    push(2);
    pthread_create(&a, 0, pop, 0);
    pthread_create(&b, 0, pop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(popped < 2 || top == 0);
}
