//@ assert: unsafe
//@ because: what others can see is read as the two ints that it is
//@ twin: copied-into-a-pointer-written-once.c
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

int shared[2];

void *thread(void *unused) {
  shared[0] = 1;
  shared[1] = 1;
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  void *both;
  memcpy(&both, shared, 8);
  assert((uintptr_t)both != 0x100000000);
  pthread_join(handle, 0);
}
