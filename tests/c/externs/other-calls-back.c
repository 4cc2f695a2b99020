//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int alarm(void (*)(void));
static int x;
static void set(void) { x = 1; }

int main(void) {
    alarm(set);
    if (x == 3 && 0) reach_error();
}
