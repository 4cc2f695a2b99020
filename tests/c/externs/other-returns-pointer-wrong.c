//@ assert: unsafe
//@ because: this remove returns a pointer: it is defined in a file that is missing, and what it points to can be written
//@ twin: other-returns-pointer.c
//@ open: explicit lazy

void reach_error(void) {}
extern int *remove(const char *);

int main(void) {
    int *p = remove("a");
    if (!p) return 0;
    *p = 3;
    reach_error();
}
