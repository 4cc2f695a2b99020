//@ assert: safe

#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[3] = "zz";
    if (fgets(line, sizeof line, stdin) && line[0] == '\n')
        assert(line[1] == 0);
    assert(line[2] == 0);
}
