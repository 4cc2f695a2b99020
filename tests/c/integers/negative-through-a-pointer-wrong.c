//@ assert: unsafe
//@ because: the other thread may have written -1 to the element
//@ twin: negative-through-a-pointer.c
#include <assert.h>
#include <pthread.h>

int number, copy, elsewhere[3], *pointer = &number, large;

static void *one(void *unused) {
  pointer = elsewhere;
  copy = number;
  large = (unsigned)copy > 5;
  number = -1;
  return unused;
}

static void *other(void *unused) {
  *pointer = number;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, one, 0);
  pthread_create(&threads[1], 0, other, 0);
  assert(elsewhere[0] == 0);
}
