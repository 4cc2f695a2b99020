//@ assert: unsafe
//@ because: what is not mentioned is zero
//@ twin: initialisers.c

#include <assert.h>

int designated[8] = {[2] = 5, 6, [7] = 1};
char text[] = "hello";
int matrix[3][4] = {{1}, {2, 3}};
const char *names[] = {"zero", "one", 0};

int main(void) {
    assert(designated[3] == 6);
    assert(designated[4] == 6);  // error: zero
    assert(sizeof text == 6 && text[4] == 'o' && text[5] == 0);
    assert(matrix[1][1] == 3 && matrix[2][3] == 0);
    assert(names[1][0] == 'o' && !names[2]);
    int local[100] = {9};
    assert(local[0] == 9 && local[99] == 0);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) sum += matrix[i][j];
    assert(sum == 6);
}
