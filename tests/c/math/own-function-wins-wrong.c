//@ assert: unsafe
//@ because: a function that the program defines is the program's, also where the compiler knows what the library's does
//@ twin: own-function-wins.c

#include <assert.h>

double floor(double x) { return x + 1; }
double pow(double x, double y) { return x - y; }
int abs(int x) { return x; }

volatile double four = 4;
volatile int minus = -1;

int main(void) {
    assert(floor(four) == 5);
    assert(pow(four, four) == 0);
    assert(abs(minus) == 1);   // error: it is what it was
}
