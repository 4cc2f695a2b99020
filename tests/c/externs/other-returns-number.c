//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int index(const char *, int);

int main(void) {
    if (index("a", 3) == 5 && 0) reach_error();
}
