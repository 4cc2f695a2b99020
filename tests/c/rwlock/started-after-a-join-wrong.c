//@ assert: unsafe
//@ because: the second thread writes again
//@ twin: started-after-a-join.c
//@ by: comus product
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

void *reader(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x++;
    assert(x == 1); // error:
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(t, 0);
    return 0;
}
