//@ assert: unsafe
//@ because: the last b is at 4
//@ twin: last-byte.c
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <string.h>
int main(void) {
	char s[] = "abcabc";
	assert(memrchr(s, 'b', 6) == s + 1); // error:
	assert(memrchr(s, 'b', 4) == s + 1);
	assert(memrchr(s, 'x', 6) == 0);
	assert(htons(1) == 256 && ntohl(1) == 1 << 24);
}
