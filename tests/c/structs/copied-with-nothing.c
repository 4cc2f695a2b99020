//@ assert: unsafe
//@ because: members without a name or a size do not hide the others
//@ twin: copied-one-of-a-shape.c
#include <assert.h>
#include <pthread.h>

struct pair {
    int : 20;
    int a, b;
    long nothing[0];
} shared, copy;

void *from = &shared, *to = &copy;

static void *thread(void *arg) {
    shared.a = 1;
    shared.b = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    *(struct pair *)to = *(struct pair *)from;
    assert(!(copy.a == 0 && copy.b == 1));  // error: a was read before it was written, b after that
    pthread_join(handle, 0);
}
