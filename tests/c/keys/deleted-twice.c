//@ assert: unsafe
//@ because: what was deleted is no key any more
//@ twin: deleted-is-no-key.c

#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_key_t key;
    pthread_key_create(&key, 0);
    pthread_key_delete(key);
    assert(pthread_key_delete(key) == 0);        // error: EINVAL
}
