//@ assert: safe
// The bound is known where the loop goes on only.
#include <assert.h>
#include <pthread.h>

int counter;

static void *count(void *unused) {
  for (;;) {
    int seen = counter;
    if (seen >= 100) break;
    counter = seen + 1;
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, count, 0);
  assert(counter <= 100);
}
