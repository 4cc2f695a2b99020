//@ assert: safe
//@ open: explicit

#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec t = {3, 4};
    assert(timespec_get(&t, 77) == 0 && t.tv_sec == 3);
    assert(timespec_get(&t, TIME_UTC) == TIME_UTC);
}
