//@ assert: safe
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
    if (x == 3 && 0) reach_error();
}
