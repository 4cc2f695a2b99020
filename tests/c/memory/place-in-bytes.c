//@ assert: safe
#include <assert.h>
#include <stdlib.h>

char bytes[8];

int main(void) {
  int *block = malloc(8), *left;
  for (int i = 0; i < 8; i++) bytes[7 - i] = ((char *)&block)[i];
  free(block);
  block = 0;
  int *other = malloc(4096);
  for (int i = 0; i < 8; i++) ((char *)&left)[7 - i] = bytes[i];
  assert(left != other);
}
