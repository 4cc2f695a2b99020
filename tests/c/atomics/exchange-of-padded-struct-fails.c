//@ assert: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct three {
	char k[3];
};
_Atomic struct three g;
void *store(void *arg) {
	struct three v = {{1, 1, 1}};
	g = v;
	return 0;
}
int main(void) {
	struct three e = {{0, 0, 0}}, d = {{2, 2, 2}};
	pthread_t t;
	pthread_create(&t, 0, store, 0);
	if (!atomic_compare_exchange_strong(&g, &e, d))
		assert(e.k[0] == 1);
	pthread_join(t, 0);
}
