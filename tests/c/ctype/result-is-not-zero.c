//@ assert: safe

#include <assert.h>
#include <ctype.h>

int main(void) {
    int (*classify)(int) = isdigit;
    int result = classify('1');
    assert(result != 0);
}
