//@ assert: safe
#include <assert.h>
#include <pthread.h>
int id = 7, got;
void *worker(int *arg) {
	got = *arg;
	return 0;
}
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, (void *(*)(void *))worker, &id);
	pthread_join(t, 0);
	assert(got == 7);
}
