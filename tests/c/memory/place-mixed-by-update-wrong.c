//@ assert: unsafe
//@ because: mixed with a key by an atomic operation, the address is still known
//@ twin: place-mixed-by-update.c
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

_Atomic uintptr_t left;

int main(void) {
  int *block = malloc(8);
  left = (uintptr_t)block;
  left ^= ~0ul;
  free(block);
  block = 0;
  int *other = malloc(8);
  left ^= ~0ul;
  assert(left != (uintptr_t)other);
}
