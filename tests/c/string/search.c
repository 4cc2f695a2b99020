//@ assert: safe

#include <assert.h>
#include <string.h>

int main(void) {
    const char *s = "abcabc";
    assert(strchr(s, 'b') == s + 1 && strrchr(s, 'b') == s + 4 && strchr(s, 'x') == 0);
    assert(strchr(s, 0) == s + 6 && memchr(s, 'c', 2) == 0 && memchr(s, 'c', 3) == s + 2);
    assert(strstr(s, "ca") == s + 2 && strstr(s, "cb") == 0 && strstr(s, "") == s);
    assert(strspn(s, "ab") == 2 && strcspn(s, "c") == 2);
    assert(strpbrk(s, "xa") == s);
}
