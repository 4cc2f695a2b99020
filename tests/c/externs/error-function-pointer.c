//@ assert: unsafe
//@ because: the function is called through its address
//@ twin: error-function-avoided.c
//@ args: --error-function panic

void panic(void) {}
void fine(void) {}

void (*volatile handler)(void) = panic;

int main(void) {
    handler();
}
