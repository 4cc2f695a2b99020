//@ assert: unsafe
//@ because: what stands behind the header is no padding of a second one, and may hold what the freed block held
//@ twin: payload-written.c

#include <assert.h>
#include <stdlib.h>

struct header {
    char kind;
    int length;
};

int main(void) {
    struct header *h = malloc(sizeof(struct header) + 8);
    h->kind = 1;
    h->length = 8;
    char *payload = (char *)(h + 1);
    assert(payload[1] == 0);  // error: can fail
}
