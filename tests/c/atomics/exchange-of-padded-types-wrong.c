//@ assert: unsafe
//@ because: what the exchange found is 1, 2, 3
//@ twin: exchange-of-padded-types.c
#include <assert.h>
#include <stdatomic.h>
struct six {
	short x, y, z;
};
_Atomic struct six s;
_Atomic long double l;
int main(void) {
	struct six e = {0, 0, 0}, d = {1, 2, 3};
	assert(atomic_compare_exchange_strong(&s, &e, d));
	assert(!atomic_compare_exchange_strong(&s, &e, d));
	assert(e.x == 1 && e.y == 2 && e.z != 3); // error:
	d.z = 4;
	assert(atomic_compare_exchange_strong_explicit(&s, &e, d, memory_order_acquire, memory_order_relaxed));
	e = atomic_exchange(&s, e);
	assert(e.z == 4);
	atomic_store(&s, d);
	e = atomic_load(&s);
	assert(atomic_compare_exchange_strong(&s, &e, d));

	long double f = 0, h = 1.5L;
	assert(atomic_compare_exchange_strong(&l, &f, h));
	assert(!atomic_compare_exchange_strong(&l, &f, 2.5L));
	assert(f == 1.5L);
	l += 1;
	f = l;
	assert(atomic_compare_exchange_strong(&l, &f, h));
}
