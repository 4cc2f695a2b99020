//@ assert: safe
//@ open: explicit lazy

#include <assert.h>

int main(int argc, char **argv, char **envp) {
    assert(envp);
    return 0;
}
