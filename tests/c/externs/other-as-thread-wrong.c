//@ assert: unsafe
//@ because: this sleep gets and returns pointers: it is defined in a file that is missing, and may write
//@ twin: other-as-thread.c
//@ open: explicit lazy

#include <pthread.h>

void reach_error(void) {}
extern void *sleep(void *);

int main(void) {
    int x = 0;
    pthread_t t;
    pthread_create(&t, 0, sleep, &x);
    pthread_join(t, 0);
    if (x) reach_error();
}
