//@ assert: safe
//@ open: lazy
//@ within: 4s

#include <assert.h>
#include <pthread.h>

static pthread_key_t keys[1025];

int main(void) {
    int made = 0;
    while (made < 1024 && pthread_key_create(&keys[made], 0) == 0) {
        made++;
    }
    assert(made == 1024);  // error: there are 1024
    pthread_setspecific(keys[made - 1], &made);
    assert(pthread_getspecific(keys[made - 1]) == &made && !pthread_getspecific(keys[3]));
    return 0;
}
