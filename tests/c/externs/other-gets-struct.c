//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
struct many {
    int *to, *more[8];
};
extern int remove(struct many);

int main(void) {
    int x = 0;
    struct many many = {&x};
    remove(many);
    if (x == 3 && 0) reach_error();
}
