//@ assert: safe

#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t a, b;
    pthread_key_create(&a, 0);
    pthread_key_create(&b, 0);
    pthread_key_delete(a);
    assert(a != b);  // error: the number can be given again
    return 0;
}
