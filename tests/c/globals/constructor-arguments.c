//@ assert: safe
//@ open: explicit

#include <assert.h>

static int count;

__attribute__((constructor)) static void remember(int argc, char **argv) {
    count = argc;
}

int main(int argc, char **argv) {
    assert(count == argc);
}
