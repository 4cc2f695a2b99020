//@ assert: unsafe
//@ because: a number that is written to a struct also writes what stands between the members
//@ twin: padding-as-integer.c

#include <assert.h>
#include <string.h>

struct pair {
    char c;
    int i;
} global;

static long get(struct pair *p) { return *(long *)p; }
static long either(struct pair by_value, long number) { return number; }
static long (*read)(struct pair *) = get;

int main(void) {
    struct pair local;
    memset(&global, 0xff, sizeof global);
    memset(&local, 0xff, sizeof local);
    assert(*(long *)&global == -1 && *(long *)&local == -1);
    assert(get(&global) == -1 && either(local, *(long *)&local) == -1);

    memset(&global, 0, sizeof global);
    *(long *)&global = get(&local);
    assert(((char *)&global)[2] == -1);
    memset(&local, 0, sizeof local);
    *(long *)&local = read(&global);
    assert(((char *)&local)[2] == 0);  // error: is -1
}
