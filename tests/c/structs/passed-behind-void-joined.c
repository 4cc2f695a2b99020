//@ assert: safe
//@ open: comus product
#include <assert.h>
#include <pthread.h>

struct record {
  long first;
  int a, b;
};

static int differ(struct record record) {
  return record.a == 0 && record.b == 1;
}

void *thread(void *shared) {
  assert(!differ(*(struct record *)shared));
  return 0;
}

int main(void) {
  pthread_t handle;
  struct record record = {0, 0, 0};
  pthread_create(&handle, 0, thread, &record);
  pthread_join(handle, 0);
  record.a = 1;
  record.b = 1;
}
