//@ assert: unsafe
//@ because: a zero byte does not end a line of the input
//@ twin: line.c

#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[3] = "zz";
    if (fgets(line, sizeof line, stdin) && line[0] == 0)
        assert(line[1] != 'a');  // error: it may follow
}
