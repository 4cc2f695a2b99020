//@ assert: safe

#include <assert.h>

int main(int argc, char **argv) {
    assert(argc == 1);
    assert(argv[0] && argv[0][0]);
    assert(!argv[1]);
}
