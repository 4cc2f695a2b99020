//@ assert: unsafe
//@ because: this remove has more parameters than the library's: it is defined in a file that is missing, and may write
//@ twin: other-gets-more.c
//@ open: explicit lazy

void reach_error(void) {}
extern int remove(int *, int);

int main(void) {
    int x = 0;
    remove(&x, 3);
    if (x) reach_error();
}
