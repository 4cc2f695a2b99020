//@ assert: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct one {
  long a;
  int b, c;
} one;
struct other {
  int a, b;
  long c;
} other;

void *thread(void *unused) {
  other.a = 1;
  other.b = 1;
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  pthread_join(handle, 0);
  memcpy(&one, &other, 16);
  assert(one.a != 0x100000000);
}
