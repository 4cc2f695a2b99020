//@ assert: unsafe
//@ because: a struct is returned with its padding, another in each round
//@ twin: padding-of-equal-results.c
#include <assert.h>
#include <string.h>

struct padded {
  char a;
  int b;
};

struct padded all[2];

static struct padded make(int byte) {
  struct padded made;
  memset(&made, byte, sizeof made);
  return made;
}

int main(void) {
  for (int i = 0; i < 2; i++) all[i] = make(i);
  assert(((char *)&all[0])[1] == ((char *)&all[1])[1]);
}
