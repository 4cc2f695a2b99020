//@ assert: safe
int *left;

extern void abort(void);
extern void reach_error(void);

void leave(void) {
  int own[2];
  left = own - 1;
  own[0] = 1;
}

void look(void) {
  int own[2];
  own[0] = 5;
  // An access to a variable whose function has returned: nothing comes after it.
  if (left[1] == 5) reach_error();
}

int main(void) {
  leave();
  look();
}
