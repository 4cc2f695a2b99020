//@ assert: safe
#include <assert.h>
#include <pthread.h>

union {
  struct {
    char x[8];
  } bytes;
  long word;
} from, to;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg) {
  pthread_mutex_lock(&m);
  from.bytes.x[0] = 1;
  from.bytes.x[1] = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_mutex_lock(&m);
  to.bytes = from.bytes;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(to.bytes.x[0] == to.bytes.x[1]);
  return 0;
}
