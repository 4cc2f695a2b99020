//@ assert: safe
//@ open: explicit lazy

#include <assert.h>

int main(int argc, char **argv) {
    if (argc > 3) {
        return main(3, argv);
    }
    assert(argc <= 3);
    return 0;
}
