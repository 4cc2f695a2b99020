//@ assert: safe
//@ open: explicit lazy

#include <assert.h>

extern char **environ;

int main(void) {
    if (!environ[0]) {
        assert(environ[0] == 0);
    }
    return 0;
}
