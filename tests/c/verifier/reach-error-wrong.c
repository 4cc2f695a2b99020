//@ assert: unsafe
//@ because: reach_error is a violation whatever its body does
//@ twin: reach-error.c

void reach_error(void) {}

int main(void) {
    int x = 1;
    if (x == 1) reach_error();  // error: called
}
