//@ assert: unsafe
//@ because: what is behind the header is bytes, also where a header would have padding
//@ twin: bytes-behind-a-header.c

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct header { char c; int n; };
struct flexible { char c; long n; char tail[]; };

int main(void) {
    char data[16];
    for (int i = 0; i < 16; i++) data[i] = i + 1;
    struct header *h = malloc(sizeof *h + 16);
    memcpy(h + 1, data, 8);
    char *p = (char *)(h + 1);
    for (int i = 0; i < 8; i++) assert(p[i] == i + 1);
    memcpy(h + 1, data, 16);
    assert(p[9] == 0);  // error: it is 10
    struct flexible *f = malloc(sizeof *f + 16), *g = malloc(sizeof *f + 16);
    memcpy(f->tail, data, 16);
    f->c = 1;
    f->n = 2;
    memcpy(g, f, sizeof *f + 16);
    assert(g->n == 2 && g->tail[15] == 16);
    memset(&f->tail[3], 7, 5);
    assert(f->tail[2] == 3 && f->tail[3] == 7 && f->tail[7] == 7 && f->tail[8] == 9);
}
