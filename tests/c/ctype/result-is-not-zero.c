//@ assert: safe

#include <assert.h>
#include <ctype.h>

int main(void) {
    int result = (isdigit)('1');
    assert(result != 0);
}
