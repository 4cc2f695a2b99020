//@ assert: unsafe
//@ because: the block is freed and taken again, while main has a pointer to it
//@ twin: free-of-a-variable.c
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int variable;
int *shared;
int *left;

static void *worker(void *unused) {
  int *mine = shared;
  if (mine) {
    free(mine);
    int *again = malloc(sizeof *again);
    if (again) {
      *again = 7;
      left = again;
    }
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  int *block = malloc(sizeof *block);
  if (!block) return 0;
  shared = block;
  pthread_create(&thread, 0, worker, 0);
  shared = &variable;
  pthread_join(thread, 0);
  assert(left != block);
}
