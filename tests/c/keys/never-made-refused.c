//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    assert(pthread_setspecific(7, (void *)1) == EINVAL);
    assert(pthread_key_create(&key, 0) == 0);
    assert(pthread_setspecific(key, (void *)1) == 0);
    assert(pthread_getspecific(key) == (void *)1);
}
