long x;
long y_0; // y@0

int main(void)
{
    y_0 = __VERIFIER_nondet_long();
    // from 0 to 1
    x = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) {
            // from 1 to 1
            {
                long input_0 = __VERIFIER_nondet_long();
                assume_abort_if_not(x <= 2 && input_0 + 1 <= x);
                y_0 = input_0;
            }
        } else {
            // from 1 to 2
            if (x >= 3) reach_error();
            assume_abort_if_not(x <= 2);
            x = y_0;
            y_0 = y_0 + 1;
            break;
        }
    }
    if ((x) % 3 == 0) {
        // even
        x = floor_div(x, 2);
    } else {
        // odd
    }
    while (1) {
        if (__VERIFIER_nondet_int()) {
            if (x >= 8) reach_error();
            assume_abort_if_not(x <= 7);
        } else {
            {
                long next_x = y_0;
                y_0 = x;
                x = next_x;
            }
        }
    }
}
