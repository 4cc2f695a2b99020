//@ assert: safe
#include <assert.h>
#include <pthread.h>

struct address {
    unsigned short family;
    char data[14];
};

struct internet {
    unsigned short family, port;
    unsigned number;
    char zero[8];
} shared;

struct address *pointer = (struct address *)&shared;

static void *thread(void *arg) {
    shared.number = 0x7f000001;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    struct internet copy = *(struct internet *)pointer;
    assert(copy.number == 0 || copy.number == 0x7f000001);
    pthread_join(handle, 0);
}
