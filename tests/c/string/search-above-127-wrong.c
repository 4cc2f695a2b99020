//@ assert: unsafe
//@ because: the character is converted to a char, and so is found
//@ twin: search-above-127.c

#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char s[] = "a\xff";
    assert(strchr(s, 0xff) == s + 1 && strchr(s, 0x161) == s && strchr(s, 256) == 0);     // error: always fails
    assert(__builtin_strchr(s, 0xff) == s + 1);
    assert(strrchr(s, 0xff) == s + 1 && index(s, 0xff) == s + 1 && rindex(s, 0x161) == s);
    assert(memchr(s, 0x1ff, 2) == s + 1);
}
