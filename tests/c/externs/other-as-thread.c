//@ assert: safe
//@ open: explicit lazy

#include <pthread.h>

void reach_error(void) {}
extern void *sleep(void *);

int main(void) {
    int x = 0;
    pthread_t t;
    pthread_create(&t, 0, sleep, &x);
    pthread_join(t, 0);
    if (x == 3 && 0) reach_error();
}
