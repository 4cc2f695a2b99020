extern void reach_error(void);
extern void abort(void);
static inline void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}
#define assume(condition) assume_abort_if_not(condition)
