//@ assert: safe
//@ open: explicit
#include <assert.h>
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int *made_up;

int main(void) {
  int *block = malloc(8);
  made_up = (int *)__VERIFIER_nondet_ulong();
  if (made_up != block) return 0;
  free(block);
  block = 0;
  int *other = malloc(4096);
  assert(made_up != other);
}
