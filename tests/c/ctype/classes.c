//@ assert: safe

#include <assert.h>
#include <ctype.h>

int main(void) {
    assert(isdigit('7') && !isdigit('a') && isalpha('Q') && isalnum('0') && !isalnum('_'));
    assert(isspace('\t') && isspace(' ') && !isspace('x') && isupper('A') && !isupper('a') && islower('z'));
    assert(isxdigit('F') && !isxdigit('g') && ispunct('!') && isprint(' ') && !isgraph(' ') && iscntrl(10));
    assert(toupper('x') == 'X' && tolower('X') == 'x' && toupper('1') == '1');
    assert(isalpha('x'));
    assert((isdigit)('3') && (toupper)('b') == 'B');
}
