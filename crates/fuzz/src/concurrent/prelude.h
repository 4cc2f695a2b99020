#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

typedef int function(int);
typedef void *worker(void *);
union mix { int f0; unsigned short f1[2]; unsigned char f2[4]; };
