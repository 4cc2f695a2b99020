//@ assert: safe

#include <assert.h>

double floor(double x) { return x + 1; }
double pow(double x, double y) { return x - y; }
int abs(int x) { return x; }

volatile double four = 4;
volatile int minus = -1;

int main(void) {
    assert(floor(four) == 5);
    assert(pow(four, four) == 0);
    assert(abs(minus) == -1);
}
