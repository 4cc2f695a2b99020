//@ assert: unsafe
//@ because: the pointer points to the third element
//@ twin: addresses-in-initialisers.c

#include <assert.h>

struct node { int value; struct node *next; };
int a[4] = {1, 2, 3, 4};
int *third = &a[2];
extern struct node second;
struct node first = {1, &second};
struct node second = {2, &first};
struct { char *text; int (*f)(void); } entry;
static int seven(void) { return 7; }
static const struct { const char *name; int (*f)(void); } table[] = {{"seven", seven}};
char *inside = &"hello"[1];

int main(void) {
    assert(*third == 2);  // error: the third is 3
    assert(first.next->next->value == 1);
    assert(table[0].f() == 7 && table[0].name[4] == 'n');
    assert(*inside == 'e');
}
