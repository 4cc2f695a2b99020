//@ assert: unsafe
//@ because: reading may fail after a byte, which is stored all the same
//@ twin: line.c

#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[3] = "zz";
    if (!fgets(line, sizeof line, stdin))
        assert(line[0] == 'z');  // error: reading failed after a byte
}
