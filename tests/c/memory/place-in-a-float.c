//@ assert: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

double left;

int main(void) {
  int *block = malloc(8), *found;
  memcpy(&left, &block, 8);
  left = -left;
  free(block);
  block = 0;
  int *other = malloc(4096);
  left = -left;
  memcpy(&found, &left, 8);
  assert(found != other);
}
