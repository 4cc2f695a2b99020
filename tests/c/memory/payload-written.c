//@ assert: safe

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
    payload[1] = 0;
    assert(payload[1] == 0);
}
