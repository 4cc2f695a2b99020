//@ assert: safe

#include <assert.h>

int main(int argc, char **argv) {
    if (argc < 2) {
        return 1;
    }
    assert(argv[1]);  // error: there may be none
    return 0;
}
