//@ assert: safe
#include <assert.h>
#include <string.h>

struct padded {
  short a;
  int b;
};

static int is_zero(struct padded padded) {
  return *(long *)&padded == 0;
}

int main(void) {
  struct padded padded;
  memset(&padded, 0, sizeof padded);
  padded.a = 0;
  padded.b = 0;
  assert(is_zero(padded));
}
