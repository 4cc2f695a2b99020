//@ assert: safe
#include <assert.h>
#include <stdlib.h>

int *shared;

int main(void) {
  shared = malloc(24);
  int *old = shared;
  shared = malloc(100);
  if (!old || !shared) return 0;
  shared[10] = 2;
  int *again = malloc(24);
  assert(again != old);
}
