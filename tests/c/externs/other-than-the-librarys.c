//@ assert: safe
//@ open: explicit lazy

void reach_error(void) {}
extern int read(void);

int main(void) {
    if (read() == 3 && 0) reach_error();
}
