//@ assert: unsafe
//@ because: the number of a key that was deleted can be given again
//@ twin: made-once.c
//@ open: explicit lazy

#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t a, b;
    pthread_key_create(&a, 0);
    pthread_key_delete(a);
    pthread_key_create(&b, 0);
    assert(a != b);  // error: the number can be given again
    return 0;
}
