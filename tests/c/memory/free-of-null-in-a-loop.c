//@ assert: safe
//@ open: explicit
#include <assert.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int *shared;

int main(void) {
  shared = malloc(8);
  int *old = shared;
  for (;;) {
    int *freed = shared;
    free(shared);
    shared = 0;
    if (!freed) break;
  }
  // Of another size.
  int *again = malloc(12);
  int *kept = malloc(8);
  unsigned number = __VERIFIER_nondet_uint();
  assert(again != old && kept != again || number * 2654435761u != 3735928558u);
}
