//@ assert: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct word {
    long word;
};

struct {
    int a, b;
    struct word words[];
} *shared;

static void *thread(void *arg) {
    shared->words[0].word = 0x100000001;
    return arg;
}

int main(void) {
    pthread_t handle;
    shared = calloc(1, sizeof *shared + 2 * sizeof(struct word));
    pthread_create(&handle, 0, thread, 0);
    struct word copy = shared->words[0];
    assert(copy.word == 0 || copy.word == 0x100000001);
    pthread_join(handle, 0);
}
