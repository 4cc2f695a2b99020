// Atomic operations, used by one thread.
#include "out.h"
#include <stdatomic.h>

static atomic_int counter = 5;
static _Atomic unsigned char small = 250;
static _Atomic(long long) wide = 1;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(int *) where;

int main(void) {
    int plain = 7, expected;
    out(atomic_fetch_add(&counter, 3)), out(counter);
    out(atomic_fetch_sub(&counter, 10)), out(atomic_load(&counter));
    out(atomic_fetch_or(&counter, 0x10)), out(atomic_fetch_and(&counter, 0x1c)), out(atomic_fetch_xor(&counter, 3));
    out(atomic_exchange(&counter, 42)), out(counter);
    expected = 41;
    out(atomic_compare_exchange_strong(&counter, &expected, 1)), out(expected), out(counter);
    out(atomic_compare_exchange_strong(&counter, &expected, 1)), out(counter);
    atomic_store_explicit(&counter, 9, memory_order_release);
    out(atomic_load_explicit(&counter, memory_order_acquire));
    out(counter++), out(++counter), out(counter *= 3), out(counter -= 1), out(counter);
    small += 10;
    out(small), out(small--), out(atomic_fetch_add(&small, 255)), out(small);
    wide <<= 40;
    wide |= 5;
    out(wide), out(atomic_fetch_sub(&wide, 6)), out(wide);
    out(atomic_flag_test_and_set(&flag)), out(atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    out(atomic_flag_test_and_set(&flag));
    where = &plain;
    out(*where), out(*atomic_exchange(&where, (int *)&expected)), out(*where);
    out(__sync_fetch_and_add(&plain, 2)), out(__sync_add_and_fetch(&plain, 2)), out(__sync_bool_compare_and_swap(&plain, 11, 0));
    out(__sync_val_compare_and_swap(&plain, 0, 6)), out(plain), out(__sync_lock_test_and_set(&plain, 8)), out(plain);
    out(__atomic_fetch_nand(&plain, 12, __ATOMIC_SEQ_CST)), out(plain);
    out(__atomic_add_fetch(&plain, 1, __ATOMIC_RELAXED)), out(__sync_fetch_and_sub(&plain, 1));
    __sync_synchronize();
    atomic_thread_fence(memory_order_seq_cst);
    int desired = 77, result;
    __atomic_store(&plain, &desired, __ATOMIC_SEQ_CST);
    __atomic_load(&plain, &result, __ATOMIC_SEQ_CST);
    out(result);
    expected = 77;
    out(__atomic_compare_exchange_n(&plain, &expected, 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)), out(plain);
    out(__atomic_exchange_n(&plain, 4, __ATOMIC_ACQ_REL)), out(plain);
    return 0;
}
