//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int remove(int *, int);

int main(void) {
    int x = 0;
    remove(&x, 3);
    if (x == 3 && 0) reach_error();
}
