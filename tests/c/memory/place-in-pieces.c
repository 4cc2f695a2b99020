//@ assert: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned short pieces[4];
union word {
  int *pointer;
  unsigned short pieces[4];
};

void *thread(void *unused) {
  union word word;
  word.pointer = malloc(8);
  for (int i = 0; i < 4; i++) pieces[i] = word.pieces[3 - i];
  free(word.pointer);
  return 0;
}

int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  pthread_join(handle, 0);
  int *other = malloc(12);
  union word word;
  for (int i = 0; i < 4; i++) word.pieces[i] = pieces[3 - i];
  assert(word.pointer != other);
}
