//@ assert: unsafe
//@ because: one of the arguments can be -v
//@ twin: string-is-compared.c

#include <assert.h>
#include <string.h>

static int verbose;

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0) {
            verbose = 1;
        }
    }
    assert(!verbose);  // error: an argument can be -v
    return 0;
}
