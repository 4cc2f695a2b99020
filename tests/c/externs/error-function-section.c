//@ assert: unsafe
//@ because: a function with a meaning of its own can be one whose being called is a violation
//@ twin: error-function-section-avoided.c
//@ args: --error-function __VERIFIER_atomic_begin

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void) {
    int section = 1;
    if (section) {
        __VERIFIER_atomic_begin();   // error: it is called
        __VERIFIER_atomic_end();
    }
}
