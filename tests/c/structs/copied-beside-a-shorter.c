//@ assert: safe
// The padding of another struct does not pass for a member.
#include <assert.h>
#include <pthread.h>

struct longer {
    long number;
    int a, b;
} shared, copy;

struct shorter {
    long number;
    int a;
} shorter;

static void assign(void *to, void *from) {
    *(struct longer *)to = *(struct longer *)from;
}

static void *thread(void *arg) {
    shared.b = 0x01010101;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    assign(&copy, &shared);
    assert(shorter.a == 0 && (copy.b == 0 || copy.b == 0x01010101));
    pthread_join(handle, 0);
}
