//@ assert: safe
#include <assert.h>

union value {
    int number;
    char name[5];
} value = {5};

union semaphore {
    int value;
    unsigned short array[2];
} semaphore = {6};

struct point {
    short x, y;
} point = {1, 2};

static int sum(union value value, union semaphore semaphore, struct point point) {
    return value.number + semaphore.value + point.y;
}

int main(void) {
    assert(sum(value, semaphore, point) == 13);
}
