//@ assert: safe
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
  for (int i = 0; i < 2; i++) all[i] = make(7);
  assert(((char *)&all[0])[1] == ((char *)&all[1])[1]);
}
