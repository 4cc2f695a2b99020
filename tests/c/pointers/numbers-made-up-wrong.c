//@ assert: unsafe
//@ because: what is read is null, or the pointer
//@ twin: numbers-made-up.c
#include <assert.h>
#include <pthread.h>

int first;
int *numbers[1];

static void *reader(void *unused) {
  int *pointer = *(int **)numbers;
  if (pointer) *pointer = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  numbers[0] = &first;
  pthread_join(thread, 0);
  assert(first == 0);
}
