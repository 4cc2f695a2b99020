//@ assert: safe
// Two structs of one size with other members are passed at once.
#include <assert.h>

struct three {
    int a, b, c;
} three = {1, 2, 3};

struct mixed {
    long a;
    short b, c;
} mixed = {4, 5, 6};

static int sum(struct three three, struct mixed mixed) {
    return three.a + three.b + three.c + (int)mixed.a + mixed.b + mixed.c;
}

int main(void) {
    assert(sum(three, mixed) == 21);
}
