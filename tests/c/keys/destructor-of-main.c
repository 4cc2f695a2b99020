//@ assert: safe

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int x;

static void destroy(void *value) {
    assert(x == 0);
}

int main(void) {
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &x);
    x = 1;
    exit(0);
}
