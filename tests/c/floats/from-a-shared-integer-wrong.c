//@ assert: unsafe
//@ because: the larger one may be written last
//@ twin: from-a-shared-integer.c
#include <assert.h>
#include <pthread.h>

int whole;
double number;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    whole = arg ? 7 : 9;
    number = whole;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&other, 0, writer, &lock);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(whole == 7 || whole == 9);
    assert(number == whole && number * 2 < 18);
}
