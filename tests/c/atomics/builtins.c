//@ assert: safe

#include <assert.h>
#include <stdatomic.h>

_Atomic int a = 5;
int plain = 1;
_Atomic(long) l;
atomic_flag f = ATOMIC_FLAG_INIT;

int main(void) {
    assert(atomic_fetch_add(&a, 2) == 5);
    assert(a == 7);
    a++;
    a *= 2;
    assert(a == 16);
    int expected = 3;
    assert(!atomic_compare_exchange_strong(&a, &expected, 9) && expected == 16);
    assert(atomic_compare_exchange_strong(&a, &expected, 9) && a == 9);
    assert(__sync_fetch_and_or(&plain, 6) == 1 && plain == 7);
    assert(__sync_bool_compare_and_swap(&plain, 7, 8) && !__sync_bool_compare_and_swap(&plain, 7, 9));
    assert(__sync_val_compare_and_swap(&plain, 8, 1) == 8);
    assert(__atomic_exchange_n(&plain, 30, __ATOMIC_ACQ_REL) == 1);
    assert(__atomic_sub_fetch(&plain, 10, __ATOMIC_RELAXED) == 20);
    assert(__atomic_fetch_nand(&plain, 4, __ATOMIC_SEQ_CST) == 20 && plain == ~4);
    assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f));
    atomic_flag_clear(&f);
    atomic_store_explicit(&l, 1L << 40, memory_order_release);
    assert(atomic_load_explicit(&l, memory_order_acquire) == 1L << 40);
    atomic_thread_fence(memory_order_seq_cst);
    __sync_synchronize();
    assert(__sync_lock_test_and_set(&plain, 1) == ~4);
    __sync_lock_release(&plain);
    assert(plain == 0);
}
