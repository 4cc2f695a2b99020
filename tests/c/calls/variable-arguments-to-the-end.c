//@ assert: safe
#include <assert.h>
#include <stdarg.h>

static int count(int first, ...) {
  va_list list;
  va_start(list, first);
  int found = 0;
  while (va_arg(list, char *)) found++;
  va_end(list);
  return found;
}

int main(void) {
  assert(count(0, "a", "b", (char *)0) == 2);
}
