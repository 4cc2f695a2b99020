//@ assert: unsafe
//@ because: the second round frees nothing, and the block of the first may be taken again
//@ twin: free-of-null-in-a-loop.c
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
  int *again = malloc(8);
  unsigned number = __VERIFIER_nondet_uint();
  assert(again != old || number * 2654435761u != 3735928558u);
}
