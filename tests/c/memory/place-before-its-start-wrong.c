//@ assert: unsafe
//@ because: the block of another size has another place than the one freed
//@ twin: place-before-its-start.c
#include <assert.h>
#include <stdlib.h>

int *left;

int main(void) {
  int *block = malloc(8);
  left = block - 1;
  free(block);
  block = 0;
  int *other = malloc(4096);
  assert(left + 1 == other);
}
