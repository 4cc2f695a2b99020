//@ assert: unsafe
//@ because: a leading 0 means octal where the base is 0
//@ twin: numbers.c

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
    char *end;
    assert(atoi("  -42x") == -42 && atol("+7") == 7 && atoll("") == 0);
    assert(strtol("0x1F", &end, 0) == 31 && *end == 0);
    assert(strtol("017", 0, 0) == 17);        // error: always fails
    assert(strtol("zz", &end, 36) == 1295 && *end == 0);
    const char *none = "  xyz";
    assert(strtol(none, &end, 10) == 0 && end == none);
    assert(strtoul("-1", 0, 10) == ULONG_MAX);
    errno = 0;
    assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
    assert(strtol("-99999999999999999999", 0, 10) == LONG_MIN);
    assert(strtoll("-9223372036854775808", 0, 10) == LLONG_MIN);
    assert(strtoull("18446744073709551615", 0, 10) == ULLONG_MAX);
    assert(abs(-3) == 3 && labs(-4L) == 4 && llabs(5LL) == 5);
}
