//@ assert: unsafe
//@ because: this close gets a pointer where the library's gets a number: it is defined in a file that is missing, and may write
//@ twin: other-gets-pointer.c
//@ open: explicit lazy

void reach_error(void) {}
extern int close(int *);

int main(void) {
    int x = 0;
    close(&x);
    if (x) reach_error();
}
