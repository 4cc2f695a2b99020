// switch, goto, loops, the comma operator, short circuits.
#include "out.h"

static int calls;

static int seen(int value) {
    calls = calls * 10 + 1;
    return value;
}

static int classify(int n) {
    switch (n) {
    case 0: return 100;
    case 1:
    case 2: n += 10;
    case 3: n += 20; break;
    case -5 ... -2: return n * n;
    case 0x7fffffff: return -1;
    default:
        if (n > 50) {
        case 7: return 7;
        }
        n = -n;
    }
    return n;
}

static int wide(unsigned long long n) {
    switch (n) {
    case 0xffffffffffffffffull: return 1;
    case 1ull << 40: return 2;
    case 5: return 3;
    }
    return 4;
}

static int chars(char c) {
    switch (c) {
    case 'a': return 1;
    case '\xff': return 2;
    default: return 3;
    }
}

static int collatz(int n) {
    int steps = 0;
again:
    if (n == 1)
        goto done;
    n = n % 2 ? 3 * n + 1 : n / 2;
    steps++;
    goto again;
done:
    return steps;
}

static int computed(int which) {
    static void *table[] = {&&one, &&two, &&three};
    goto *table[which];
one:
    return 11;
two:
    which += 5;
three:
    return which * 2;
}

static int duff(int count) {
    int n = (count + 3) / 4, sum = 0;
    switch (count % 4) {
    case 0:
        do {
            sum += 1;
        case 3: sum += 10;
        case 2: sum += 100;
        case 1: sum += 1000;
        } while (--n > 0);
    }
    return sum;
}

int main(void) {
    for (int i = -7; i < 9; i++)
        out(classify(i));
    out(classify(51)), out(classify(0x7fffffff));
    out(wide(-1)), out(wide(1ull << 40)), out(wide(5)), out(wide(6));
    out(chars('a')), out(chars(-1)), out(chars(0));
    for (int i = 1; i < 12; i++)
        out(collatz(i));
    out(computed(0)), out(computed(1)), out(computed(2));
    for (int i = 1; i < 10; i++)
        out(duff(i));
    out(seen(0) && seen(1)), out(calls), calls = 0;
    out(seen(1) || seen(1)), out(calls), calls = 0;
    out(seen(0) || seen(5)), out(calls), calls = 0;
    out((seen(1), seen(2), seen(3))), out(calls), calls = 0;
    out(seen(1) ? seen(4) : seen(5)), out(calls), calls = 0;
    int k = 0, found = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            if ((i + j) % 3 == 0)
                continue;
            if (i * j > 6)
                goto out_of_both;
            k += i * j;
        }
        if (k > 100)
            break;
    }
out_of_both:
    out(k);
    do
        found++;
    while (found < 3 && k-- > 0);
    out(found);
    while (1) {
        if (found++ > 10)
            break;
    }
    out(found);
    int x = 5;
    out(x++ + ++x), out(x);
    out(!x), out(!!x), out(-x), out(~x), out(+x);
    for (;;) {
        int y = x;
        {
            int x = y + 1;
            y = x;
        }
        out(y);
        break;
    }
    return 0;
}
