// The functions of string.h, ctype.h and some of stdlib.h.
#include "out.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
    char buffer[40], other[40] = "abc";
    const char *text = "the quick brown fox";
    out(strlen(text)), out(strlen("")), out(strnlen(text, 5));
    strcpy(buffer, text);
    out(strcmp(buffer, text)), out(sign(strcmp("abc", "abd"))), out(sign(strcmp("b", "abd"))), out(sign(strcmp("a", "")));
    out(sign(strcmp("\x80", "\x7f")));
    out(sign(strncmp("abcx", "abcy", 3))), out(sign(strncmp("abcx", "abcy", 4)));
    strcat(other, "def"), strncat(other, "ghijk", 2);
    out(strlen(other)), out(other[7]);
    strncpy(buffer, "hi", 6);
    out(buffer[2]), out(buffer[5]), out(buffer[6]);
    out(strchr(text, 'q') - text), out(strrchr(text, 'o') - text), out(strchr(text, 'z') == 0);
    out(strchr(text, 0) - text), out(strstr(text, "brown") - text), out(strstr(text, "red") == 0);
    out(strspn("aabbc", "ab")), out(strcspn("hello world", " ")), out(strpbrk(text, "xyz") - text);
    memset(buffer, 'x', 10);
    memcpy(buffer + 2, "12345", 5);
    out(memcmp(buffer, "xx12345xxx", 10)), out(sign(memcmp("a\0b", "a\0c", 3)));
    memmove(buffer + 3, buffer + 2, 6);
    out(buffer[3]), out(buffer[8]);
    memmove(buffer, buffer + 4, 4);
    out(buffer[0]), out(buffer[3]);
    out((char *)memchr("abcdef", 'd', 6) == 0), out(memchr("abc", 'd', 3) == 0);
    char *copy = strdup(text);
    copy[0] = 'T';
    out(copy[0]), out(text[0]);
    char *token = strtok(copy, " ");
    int tokens = 0;
    while (token) {
        out(strlen(token));
        token = strtok(0, " ");
        tokens++;
    }
    out(tokens);
    free(copy);
    out(atoi("  -123x")), out(atoi("77")), out(atol("99999")), out(strtol("0x1f", 0, 16)), out(strtol("-0777", 0, 0));
    char *end;
    const char *number = "12 34";
    out(strtoul(number, &end, 10)), out(end - number);
    out(abs(-5)), out(labs(-5L)), out(llabs(-5LL));
    for (int c = 0; c < 128; c += 7)
        out(!!isalpha(c) | !!isdigit(c) << 1 | !!isspace(c) << 2 | !!isupper(c) << 3 | !!isalnum(c) << 4);
    out(toupper('q')), out(tolower('Q')), out(toupper('1'));
    char grid[3][4] = {"abc", "def", "gh"};
    out(grid[1][2]), out(grid[2][2]), out(sizeof grid), out(*(grid[0] + 5));
    char wide[] = "a\tb\x41\101\0z";
    out(sizeof wide), out(wide[3]), out(wide[4]), out(wide[6]);
    const char *list[] = {"one", "two", 0};
    int i = 0;
    while (list[i])
        i++;
    out(i), out(list[1][0]);
    int *heap = malloc(4 * sizeof *heap);
    for (i = 0; i < 4; i++)
        heap[i] = i * i;
    heap = realloc(heap, 8 * sizeof *heap);
    heap[7] = 49;
    out(heap[3] + heap[7]);
    int *zero = calloc(3, sizeof *zero);
    out(zero[0] + zero[2]);
    free(heap), free(zero), free(0);
    return 0;
}
