//@ assert: unsafe
//@ because: this close gets a pointer, and more than the library's: it is defined in a file that is missing, and may write
//@ twin: other-gets-pointer-old.c
//@ open: explicit lazy

void reach_error(void) {}
extern int close();
static int x;

int main(void) {
    close(&x, 3);
    if (x) reach_error();
}
