//@ assert: safe
//@ because: nobody can write through a pointer to constant memory, or through a null pointer

#include <assert.h>

extern void say(const char *what, ...);

int x;
const char *const names[2] = {"a", "b"};

int main(void) {
    const char *text = "zero";
    if (x != 0) text = "other";
    say(text, "more", 3);
    say("done", names, (void *)0);
    assert(x == 0);
}
