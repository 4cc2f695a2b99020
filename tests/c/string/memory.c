//@ assert: safe

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char s[6] = "abcde";
    memmove(s + 1, s, 3);
    assert(memcmp(s, "aabce", 5) == 0);
    memmove(s, s + 1, 3);
    assert(memcmp(s, "abcce", 5) == 0);
    memset(s, 'z', 2);
    assert(memcmp(s, "zzcce", 5) == 0);
    char *p = strdup(s);
    assert(p != s && strcmp(p, s) == 0);
    free(p);
    p = strndup(s, 2);
    assert(strcmp(p, "zz") == 0);
    free(p);
}
