//@ assert: unsafe
//@ because: an alias has the address of what it stands for
//@ twin: alias-is-the-same.c

#include <assert.h>

static int impl(int x) { return x + 1; }
int pub(int) __attribute__((alias("impl")));
static int hidden;
extern int shown __attribute__((alias("hidden")));

int main(void) {
    assert(pub != impl || &shown != &hidden); // error:
}
