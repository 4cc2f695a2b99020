//@ assert: safe

void reach_error(void) {}
void fine(void) {}

void (*volatile handlers[2])(void) = {fine, reach_error};

int main(void) {
    handlers[0]();
}
