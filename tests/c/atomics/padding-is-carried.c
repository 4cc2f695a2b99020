//@ assert: safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char c;
    int i;
};

static int equal(const struct pair *a, const struct pair *b) { return memcmp(a, b, sizeof *a) == 0; }

int main(void) {
    struct pair a, b, read;
    struct pair *object = malloc(sizeof *object);
    memset(&a, 0x11, sizeof a);
    memset(&b, 0x22, sizeof b);
    __atomic_store(object, &a, __ATOMIC_SEQ_CST);
    __atomic_load(object, &read, __ATOMIC_SEQ_CST);
    assert(equal(&read, &a));
    __atomic_exchange(object, &b, &read, __ATOMIC_SEQ_CST);
    assert(equal(object, &b) && equal(&read, &a));
    int exchanged = __atomic_compare_exchange(object, &read, &a, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    assert(!exchanged && equal(&read, &b));
}
