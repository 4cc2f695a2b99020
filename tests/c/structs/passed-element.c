//@ assert: unsafe
//@ because: an element behind a pointer is read member by member too
//@ twin: passed-element-written-once.c
//@ open: comus product
#include <assert.h>
#include <pthread.h>

struct pair {
  int a, b;
} shared[2];

static int differ(struct pair pair) {
  return pair.a == 0 && pair.b == 1;
}

static int second_differs(struct pair *pairs) {
  return differ(pairs[1]);
}

void *thread(void *unused) {
  shared[1].a = 1;
  shared[1].b = 1;
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  assert(!second_differs(shared));
  pthread_join(handle, 0);
}
