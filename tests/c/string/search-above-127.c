//@ assert: safe

// The character that is looked for is converted to a char; clang 19 takes strchr for null here if it is let.

#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char s[] = "a\xff";
    assert(strchr(s, 0xff) == s + 1 && strchr(s, 0x161) == s && strchr(s, 256) == s + 2);
    assert(__builtin_strchr(s, 0xff) == s + 1);
    assert(strrchr(s, 0xff) == s + 1 && index(s, 0xff) == s + 1 && rindex(s, 0x161) == s);
    assert(memchr(s, 0x1ff, 2) == s + 1);
}
