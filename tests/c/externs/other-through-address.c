//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int read(void);
static int (*volatile any)(void) = read;

int main(void) {
    if (any() == 3 && 0) reach_error();
}
