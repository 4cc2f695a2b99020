//@ assert: safe
//@ open: explicit lazy

#include <assert.h>

__attribute__((section("tab"), used)) static int a = 5, b = 6;
extern int __start_tab, __stop_tab;

int main(void) {
    int s = 0;
    for (int *at = &__start_tab; at < &__stop_tab; at++) s += *at;
    assert(s == 11);
}
