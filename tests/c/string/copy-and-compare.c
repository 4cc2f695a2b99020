//@ assert: safe

#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char a[8] = "abc", b[8];
    assert(strlen(a) == 3 && strnlen(a, 2) == 2);
    assert(strcpy(b, a) == b && strcmp(a, b) == 0);
    b[1] = 'c';
    assert(strcmp(a, b) < 0);
    assert(strncmp(a, b, 1) == 0 && strcasecmp("aBc", "AbC") == 0);
    assert(strcat(b, "xy") == b && strcmp(b, "accxy") == 0);
    strncpy(b, "long", 2);
    assert(memcmp(b, "lo", 2) == 0 && b[2] == 'c');
    strncpy(b, "s", 4);
    assert(b[1] == 0 && b[3] == 0);
    strcpy(b, "ab");
    strncat(b, "cdef", 2);
    assert(strcmp(b, "abcd") == 0);
}
