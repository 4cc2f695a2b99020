//@ assert: unsafe
//@ because: this remove gets a struct: it is defined in a file that is missing, and may write to what the struct leads to
//@ twin: other-gets-struct-through-address.c
//@ open: explicit lazy

void reach_error(void) {}
struct many {
    int *to, *more[8];
};
extern int remove(struct many);
static int (*volatile any)(struct many) = remove;

int main(void) {
    int x = 0;
    struct many many = {&x};
    any(many);
    if (x) reach_error();
}
