//@ assert: unsafe
//@ because: a pointer to what is before a variable comes back
//@ twin: before-a-local.c
int *left;

extern void abort(void);
extern void reach_error(void);

void look(void) {
  if (left[1] == 5) reach_error();
}

int main(void) {
  int own[2];
  own[0] = 5;
  left = own - 1;
  look();
}
