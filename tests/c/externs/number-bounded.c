//@ assert: safe

#include <assert.h>

extern int ask(int question);

int main(void) {
    int answer = ask(3);
    if (answer == 1) answer = 0;
    assert(answer != 1);
}
