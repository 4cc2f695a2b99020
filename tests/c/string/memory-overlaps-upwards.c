//@ assert: unsafe
//@ because: the copy goes upwards over itself, so bytes are lost
//@ twin: memory.c

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char s[6] = "abcde";
    for (int i = 0; i < 3; i++) s[i + 1] = s[i];
    assert(memcmp(s, "aabce", 5) == 0);  // error: always fails
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
