//@ assert: safe
#include <assert.h>
#include <pthread.h>

union {
  struct pair {
    int a, b;
  } pair;
  long both;
} shared;

static int differ(struct pair pair) {
  return pair.a == 0 && pair.b == 1;
}

void *thread(void *unused) {
  shared.pair.a = 1;
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  assert(!differ(shared.pair));
  pthread_join(handle, 0);
}
