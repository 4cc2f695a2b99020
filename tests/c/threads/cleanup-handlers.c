//@ assert: safe

#include <assert.h>
#include <pthread.h>

static int log_[2];

static void note(void *arg) {
    *(int *)arg = 1;
}

int main(void) {
    pthread_cleanup_push(note, &log_[0]);
    pthread_cleanup_push(note, &log_[1]);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    assert(log_[0] == 1 && log_[1] == 1);
}
