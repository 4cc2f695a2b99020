//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int *remove(const char *);

int main(void) {
    int *p = remove("a");
    if (!p) return 0;
    *p = 3;
    if (*p != 3) reach_error();
}
