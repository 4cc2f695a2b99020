//@ assert: safe
// Of two structs that clang describes alike the one is copied that is aligned as the access is.
#include <assert.h>
#include <pthread.h>

struct name {
    unsigned char bytes[16];
} name;

struct address {
    unsigned words[4];
} shared, copy;

void *from = &shared, *to = &copy;

static void *thread(void *arg) {
    shared.words[1] = 0x01010101;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    *(struct address *)to = *(struct address *)from;
    assert(copy.words[1] == 0 || copy.words[1] == 0x01010101);
    assert(name.bytes[0] == 0);
    pthread_join(handle, 0);
}
