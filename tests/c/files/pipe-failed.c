//@ assert: safe
//@ open: explicit

#include <assert.h>
#include <unistd.h>

int main(void) {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) assert(ends[1] == -1);
}
