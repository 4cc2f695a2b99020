//@ assert: unsafe
//@ because: this read, without parameters, is not the library's: it is defined in a file that is missing
//@ twin: other-than-the-librarys.c
//@ open: explicit lazy

void reach_error(void) {}
extern int read(void);

int main(void) {
    if (read() == 3) reach_error();
}
