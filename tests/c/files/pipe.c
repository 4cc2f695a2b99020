//@ assert: unsafe
//@ because: pipe stores two descriptors
//@ twin: pipe-failed.c

#include <assert.h>
#include <unistd.h>

int main(void) {
    int ends[2] = {-1, -1};
    pipe(ends);
    assert(ends[1] == -1);   // error: stored
}
