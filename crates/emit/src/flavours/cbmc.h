#ifndef __CPROVER__
extern void __CPROVER_assume(_Bool);
extern void __CPROVER_assert(_Bool, const char *);
#endif
#define assume(condition) __CPROVER_assume(condition)
void reach_error(void)
{
    __CPROVER_assert(0, "reach_error");
    __CPROVER_assume(0);
}
