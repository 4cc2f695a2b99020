//@ assert: safe
//@ args: --error-function strlen

#include <string.h>

int main(void) {
    return strcmp("four", "four") != 0;
}
