//@ assert: safe
//@ args: --32
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
int main(void) {
	div_t d = div(7, -2);
	assert(d.quot == -3 && d.rem == 1);
	ldiv_t l = ldiv(-7, 2);
	assert(l.quot == -3 && l.rem == -1);
	lldiv_t ll = lldiv(1LL << 40, 3);
	assert(ll.quot == 366503875925 && ll.rem == 1);
	assert(imaxdiv(7, 2).quot == 3 && imaxabs(-3) == 3);
	assert(strtoimax("-12", 0, 10) == -12 && strtoumax("12", 0, 10) == 12);
}
