extern void reach_error(void);
extern void __VERIFIER_assume(int);
#define assume(condition) __VERIFIER_assume(condition)
