//@ assert: safe
// Numbers that were never pointers are the addresses of nothing: to write there is an error, after which nothing comes.
#include <assert.h>
#include <pthread.h>

int first;
int numbers[2];

static void *reader(void *unused) {
  int *pointer = *(int **)numbers;
  if (pointer) *pointer = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  numbers[1] = 1;
  pthread_join(thread, 0);
  if (first == 0) *(int *)0x100000000 = 1;
  assert(first == 0);
}
