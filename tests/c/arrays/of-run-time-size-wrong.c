//@ assert: unsafe
//@ because: each element was set to its index
//@ twin: of-run-time-size.c

#include <assert.h>

static int total(int n) {
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i;
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
    assert(sizeof a == n * sizeof(int));
    return sum;
}

static int last(int n, int m, int grid[n][m]) { return grid[n - 1][m - 1]; }

int main(void) {
    assert(total(5) == 15);  // error: 0+1+2+3+4
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    assert(last(2, 3, grid) == 6);
    char *p = __builtin_alloca(4);
    p[3] = 7;
    assert(p[3] == 7);
}
