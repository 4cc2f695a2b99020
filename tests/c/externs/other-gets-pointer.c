//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int close(int *);

int main(void) {
    int x = 0;
    close(&x);
    if (x == 3 && 0) reach_error();
}
