//@ assert: safe
//@ args: --error-function panic --error-function die

extern void die(int code);

void panic(void) {}

int x;

int main(void) {
    if (x != 0) die(1);
    if (x > 0) panic();
}
