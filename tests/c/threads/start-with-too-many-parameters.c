//@ assert: unsafe
//@ because: nobody gives the thread its second argument
//@ twin: start-with-one-parameter.c
#include <assert.h>
#include <pthread.h>
int id = 7, got;
void *worker(void *arg, int n) {
	got = n;
	return 0;
}
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, (void *(*)(void *))worker, &id);
	pthread_join(t, 0);
	assert(got == 0); // error:
}
