//@ assert: unsafe
//@ because: what was written may not go to the file before it is closed, and that may fail
//@ twin: close.c

#include <assert.h>
#include <stdio.h>

int main(void) {
    FILE *file = fopen("name", "w");
    if (file) {
        size_t written = fwrite("abc", 1, 3, file);
        int closed = fclose(file);
        assert(written <= 3);
        assert(closed == 0);  // error: can fail
    }
}
