//@ assert: safe

#include <assert.h>

int main(int argc, char *argv[]) {
    if (argc > 2) {
        char c = argv[2][1];
        if (c == 'x') {
            assert(argv[2][1] == 'x');
        }
    }
    return 0;
}
