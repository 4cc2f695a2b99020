//@ assert: unsafe
//@ because: old C says nothing of parameters, so what is called through the address may be another rand that gets a pointer
//@ twin: other-gets-more-through-address.c
//@ open: explicit lazy

void reach_error(void) {}
extern int rand();
static int (*volatile any)() = rand;

int main(void) {
    int x = 0;
    any(&x);
    if (x) reach_error();
}
