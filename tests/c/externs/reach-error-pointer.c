//@ assert: unsafe
//@ because: reach_error counts whatever its body does, also through its address
//@ twin: reach-error-pointer-other.c

void reach_error(void) {}
void fine(void) {}

void (*volatile handlers[2])(void) = {fine, reach_error};

int main(void) {
    handlers[1]();
}
