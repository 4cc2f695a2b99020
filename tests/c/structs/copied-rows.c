//@ assert: safe
// Arrays of arrays and of structs are copied in the cells that they have.
#include <assert.h>
#include <pthread.h>

struct person {
    int x, y, z;
    char name[12];
};

struct {
    int rows[10][10];
    struct person persons[8];
} shared, copy;

static void *thread(void *arg) {
    shared.rows[1][2] = 0x01010101;
    shared.persons[1].z = 0x01010101;
    return arg;
}

int main(void) {
    pthread_t handle;
    pthread_create(&handle, 0, thread, 0);
    copy = shared;
    assert(copy.rows[1][2] == 0 || copy.rows[1][2] == 0x01010101);
    assert(copy.persons[1].z == 0 || copy.persons[1].z == 0x01010101);
    pthread_join(handle, 0);
}
