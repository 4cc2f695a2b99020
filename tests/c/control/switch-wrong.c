//@ assert: unsafe
//@ because: without break the next case goes on
//@ twin: switch.c

#include <assert.h>

static int classify(int x) {
    int r = 0;
    switch (x) {
    case 1: r += 1;
    case 2: r += 2; break;
    case 10 ... 19: return 100;
    case -1: r = -1; break;
    default: r = 50;
    }
    return r;
}

int main(void) {
    assert(classify(1) == 1);  // error: falls through
    assert(classify(2) == 2 && classify(15) == 100 && classify(-1) == -1 && classify(20) == 50);
    enum color { RED, GREEN = 5, BLUE } c = BLUE;
    switch (c) {
    case RED: assert(0);
    case BLUE: break;
    case GREEN: assert(0);
    }
    switch (1L << 40) {
    case 1L << 40: break;
    default: assert(0);
    }
}
