//@ assert: safe
//@ args: --error-function __VERIFIER_atomic_begin

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int main(void) {
    int section = 0;
    if (section) {
        __VERIFIER_atomic_begin();
        __VERIFIER_atomic_end();
    }
}
