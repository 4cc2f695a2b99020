//@ assert: safe
//@ because: only one thread writes the number, and knows what it wrote
//@ twin: of-what-is-shared-wrong.c
#include <assert.h>
#include <pthread.h>

double number;

void *writer(void *arg) {
    number = 1.5;
    double square = number * number;
    assert(square == 2.25);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    double seen = number;
    assert(seen + seen <= 3.0);
}
