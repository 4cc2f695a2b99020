// Pointer arithmetic, arrays, casts between pointers and integers, linked structures.
#include "out.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
struct record {
    char c;
    short s[3];
    struct { int x, y; } at;
    double d;
};
struct flexible {
    int count;
    short items[];
};

static int matrix[3][4] = {{1, 2, 3, 4}, {5, 6}, [2][3] = 12};
static int *corner = &matrix[1][1];
static struct record fixed[2] = {{'a', {1, 2, 3}, {4, 5}, 6}, {.at.y = 9, .s[1] = 8}};
static short *inside = &fixed[1].s[1];

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value, n->next = list;
    return n;
}
static struct node *reverse(struct node *list) {
    struct node *result = 0;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list, list = next;
    }
    return result;
}
static void swap(int *a, int *b) {
    int t = *a;
    *a = *b, *b = t;
}
static int sum(int rows, int columns, int (*m)[columns]) {
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            total = total * 3 + m[i][j];
    return total;
}

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = i * i;
    int *p = a, *q = a + 7;
    out(q - p), out(p < q), out(p + 7 == q), out(*(q - 2)), out(q[-3]), out(3 [a]);
    out(*p++), out(*++p), out(++*p), out(a[2]), out(p - a);
    p += 4, p -= 1;
    out(*p), out(&a[9] - p);
    char *bytes = (char *)a;
    out(bytes[4]), out((char *)q - bytes);
    int **pp = &p;
    **pp = 77, *pp = a;
    out(a[5]), out(*p);
    out(*corner), out(corner[2]), out(matrix[2][3]), out((*matrix)[2]), out(*(*(matrix + 1) + 1));
    out(*inside), out(inside[-1]), out(fixed[1].at.y), out(fixed[0].s[2]);
    out(offsetof(struct record, s)), out(offsetof(struct record, at.y)), out(offsetof(struct record, d));
    out(sizeof(struct record)), out(_Alignof(struct record)), out(sizeof(struct node));
    struct record *r = fixed + 1;
    out(r - fixed), out((char *)r - (char *)fixed), out(r->at.x = 3), out((*r).at.x);
    swap(&a[0], &a[9]), swap(&r->at.x, &r->at.y);
    out(a[0]), out(r->at.x);
    out(sum(3, 4, matrix)), out(sum(2, 2, (int[][2]){{1, 2}, {3, 4}}));
    struct node *list = 0;
    for (int i = 0; i < 6; i++)
        list = push(list, i * 3);
    list = reverse(list);
    for (struct node *n = list; n; n = n->next)
        out(n->value);
    struct node **link = &list;
    while (*link) {
        if ((*link)->value % 2) {
            struct node *dead = *link;
            *link = dead->next;
            free(dead);
        } else {
            link = &(*link)->next;
        }
    }
    for (struct node *n = list; n; n = n->next)
        out(n->value);
    struct flexible *f = malloc(sizeof *f + 5 * sizeof(short));
    f->count = 5;
    for (int i = 0; i < f->count; i++)
        f->items[i] = i - 2;
    out(f->items[4] * f->items[0]), out(sizeof *f);
    uintptr_t number = (uintptr_t)&a[3];
    out(*(int *)number), out((int *)(number + sizeof(int)) == &a[4]), out((number & 3) == 0);
    out((ptrdiff_t)((uintptr_t)&a[8] - number) / (int)sizeof(int));
    void *v = &a[2];
    out(*(int *)v), out(v != 0), out(!v), out((int *)0 == NULL);
    const int *c = a;
    out(c[1]);
    int (*whole)[10] = &a;
    out((*whole)[4]), out(sizeof *whole), out((char *)(whole + 1) - (char *)whole);
    int three[2][2][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    out(three[1][0][1]), out(*(**three + 3)), out(sizeof three[0]);
    short *half = (short *)&a[4];
    half[1] = 1;
    out(a[4]);
    return 0;
}
