//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int close();
static int x;

int main(void) {
    close(&x, 3);
    if (x == 3 && 0) reach_error();
}
