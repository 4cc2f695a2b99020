//@ assert: unsafe
//@ because: what is assigned is the struct of bytes, not the number that lies in the same place: the copy may come between two of them
//@ twin: copied-array-in-a-union-locked.c
#include <assert.h>
#include <pthread.h>

union {
  struct {
    char x[8];
  } bytes;
  long word;
} from, to;

static void *writer(void *arg) {
  from.bytes.x[0] = 1;
  from.bytes.x[1] = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  to.bytes = from.bytes;
  pthread_join(t, 0);
  assert(to.bytes.x[0] == to.bytes.x[1]); // error:
  return 0;
}
