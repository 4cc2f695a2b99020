//@ assert: unsafe
//@ because: the program's own __assert is called
//@ twin: own-assert-name.c

void reach_error(void) {}
void __assert(int truth) {
    if (!truth) reach_error(); // error:
}

int main(void) {
    __assert(0);
}
