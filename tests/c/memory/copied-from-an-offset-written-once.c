//@ assert: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

int shared[4];

static long both(int *from) {
  long found;
  memcpy(&found, from + 2, 8);
  return found;
}

void *thread(void *unused) {
  shared[2] = 1;
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  assert(both(shared) != 1l << 32);
  pthread_join(handle, 0);
}
