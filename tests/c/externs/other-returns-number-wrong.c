//@ assert: unsafe
//@ because: this index returns a number: it is defined in a file that is missing
//@ twin: other-returns-number.c
//@ open: explicit lazy

void reach_error(void) {}
extern int index(const char *, int);

int main(void) {
    if (index("a", 3) == 5) reach_error();
}
