//@ assert: unsafe
//@ because: this read, without parameters, is not the library's: it is defined in a file that is missing
//@ twin: other-through-address.c
//@ open: explicit lazy

void reach_error(void) {}
extern int read(void);
static int (*volatile any)(void) = read;

int main(void) {
    if (any() == 3) reach_error();
}
