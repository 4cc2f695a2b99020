//@ assert: safe

#include <assert.h>
#include <string.h>

int main(void) {
    char s[] = ",a,,bc d";
    char *rest = 0;
    char *p = strtok_r(s, ", ", &rest);
    assert(strcmp(p, "a") == 0);
    p = strtok_r(0, ", ", &rest);
    assert(strcmp(p, "bc") == 0);
    p = strtok_r(0, ", ", &rest);
    assert(strcmp(p, "d") == 0);
    assert(strtok_r(0, ", ", &rest) == 0);
    char t[] = "x y";
    assert(strcmp(strtok(t, " "), "x") == 0 && strcmp(strtok(0, " "), "y") == 0 && strtok(0, " ") == 0);
}
