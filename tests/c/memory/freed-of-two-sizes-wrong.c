//@ assert: unsafe
//@ because: the block of 24 bytes is taken again, whatever the larger one is used for
//@ twin: freed-of-two-sizes.c
//@ open: explicit
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int *shared;

int main(void) {
  shared = malloc(24);
  int *old = shared;
  shared = malloc(100);
  if (!old || !shared) return 0;
  shared[10] = 2;
  free(old);
  int *again = malloc(24);
  unsigned number = __VERIFIER_nondet_uint();
  assert(number * 2654435761u != 3735928558u || again != old);
}
