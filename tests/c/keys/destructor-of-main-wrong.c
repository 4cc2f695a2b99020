//@ assert: unsafe
//@ because: pthread_exit in main runs the destructors of its values
//@ twin: destructor-of-main.c

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int x;

static void destroy(void *value) {
    assert(x == 0);  // error: it is 1
}

int main(void) {
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &x);
    x = 1;
    pthread_exit(0);
}
