//@ assert: unsafe
//@ because: --error-function makes the call a violation, although the function has a body
//@ twin: error-function-avoided.c
//@ args: --error-function panic --error-function die

extern void die(int code);

void panic(void) {}

int x;

int main(void) {
    if (x != 0) die(1);
    panic();   // error: called
}
