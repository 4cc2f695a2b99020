//@ assert: safe

void reach_error(void) {}
void __assert(int truth) {
    if (!truth) reach_error();
}

int main(void) {
    __assert(1);
}
