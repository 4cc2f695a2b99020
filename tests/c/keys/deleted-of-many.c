//@ assert: safe
//@ open: lazy

#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_key_t keys[66];
    for (int i = 0; i < 66; i++)
        pthread_key_create(&keys[i], 0);
    pthread_setspecific(keys[65], keys);
    pthread_key_delete(keys[65]);
    assert(pthread_getspecific(keys[65]) == 0 && pthread_setspecific(keys[65], 0) == EINVAL);
    assert(pthread_setspecific(keys[64], keys) == 0 && pthread_getspecific(keys[64]) == keys);
}
