//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int rand();
static int (*volatile any)() = rand;

int main(void) {
    int x = 0;
    any(&x);
    if (x == 3 && 0) reach_error();
}
