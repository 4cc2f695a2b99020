//@ assert: unsafe
//@ because: main can be called with 3 arguments, by itself and from outside
//@ twin: main-calls-main.c

#include <assert.h>

int main(int argc, char **argv) {
    if (argc > 3) {
        return main(3, argv);
    }
    assert(argc < 3);  // error: it calls itself with 3
    return 0;
}
