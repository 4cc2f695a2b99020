//@ assert: safe

#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int value;

int main(void) {
    pthread_key_t kept, key;
    pthread_key_create(&kept, 0);
    pthread_key_create(&key, 0);
    pthread_setspecific(key, &value);
    pthread_setspecific(kept, &value);
    assert(pthread_key_delete(key) == 0);
    assert(pthread_getspecific(key) == 0);
    assert(pthread_setspecific(key, &value) == EINVAL);
    assert(pthread_key_delete(key) == EINVAL);
    assert(pthread_setspecific(kept, &value) == 0 && pthread_getspecific(kept) == &value);
}
