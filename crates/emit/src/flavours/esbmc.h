extern void __ESBMC_assume(_Bool);
extern void __ESBMC_assert(_Bool, const char *);
#define assume(condition) __ESBMC_assume(condition)
void reach_error(void)
{
    __ESBMC_assert(0, "reach_error");
    __ESBMC_assume(0);
}
