// Function pointers, recursion, static locals, mutual recursion, callbacks.
#include "out.h"
#include <stdlib.h>

typedef int binary(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

static binary *table[] = {add, subtract, multiply};
static struct { const char *name; binary *f; } named[] = {{"add", add}, {"mul", &multiply}};

static int apply(binary *f, int a, int b) { return f ? f(a, b) : -1; }
static binary *choose(int n) { return n < 3 ? table[n] : 0; }
static int (*returns(int n))(int, int) { return table[n]; }

static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static int counter(void) {
    static int n = 10;
    static int *p = &n;
    return (*p)++;
}
static int *address(void) {
    static int cells[3] = {1, 2, 3};
    return cells;
}
static void hanoi(int n, int from, int to, int by, int *moves) {
    if (n == 0)
        return;
    hanoi(n - 1, from, by, to, moves);
    *moves = (*moves * 7 + from * 3 + to) % 100003;
    hanoi(n - 1, by, to, from, moves);
}
static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int down(const void *a, const void *b) { return compare(b, a); }
static int local_array(int depth) {
    int cells[4];
    for (int i = 0; i < 4; i++)
        cells[i] = depth * i;
    int below = depth > 0 ? local_array(depth - 1) : 0;
    return cells[3] * 5 + cells[1] + below;
}

int main(void) {
    for (int i = 0; i < 4; i++)
        out(apply(choose(i), 17, 5));
    out(returns(2)(6, 7));
    out((*table[1])(1, 2)), out((**table[0])(1, 2));
    out(named[1].f(3, 4)), out(named[0].name[1]);
    out(table[0] == add), out(table[1] != &add), out(!table[2]);
    out(factorial(10)), out(fibonacci(12)), out(ackermann(2, 3));
    out(even(10)), out(odd(7)), out(even(3));
    out(counter()), out(counter()), out(counter());
    address()[1]++;
    out(address()[1] + address()[2]);
    int moves = 1;
    hanoi(5, 1, 3, 2, &moves);
    out(moves);
    int numbers[] = {5, -3, 99, 0, 42, -77, 13, 5, 8};
    int count = sizeof numbers / sizeof *numbers;
    qsort(numbers, count, sizeof *numbers, compare);
    for (int i = 0; i < count; i++)
        out(numbers[i]);
    int key = 42, *found = bsearch(&key, numbers, count, sizeof *numbers, compare);
    out(found ? found - numbers : -1);
    qsort(numbers, count, sizeof *numbers, down);
    out(numbers[0]), out(numbers[count - 1]);
    out(local_array(6));
    return 0;
}
