//@ assert: unsafe
//@ because: a struct that looks alike and is aligned as this one happens to be is not what is copied
//@ twin: copied-beside-a-shorter.c
#include <assert.h>
#include <pthread.h>

struct name {
    char letters[16];
};

struct key {
    unsigned words[4];
} key;

struct object {
    int id;
    struct name name;
} shared, copy;

static void *thread(void *arg) {
    shared.name.letters[0] = 1;
    shared.name.letters[1] = 1;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    copy.name = shared.name;
    assert(key.words[0] || !(copy.name.letters[0] == 0 && copy.name.letters[1] == 1));  // error: the second was read after both were written
    pthread_join(handle, 0);
}
