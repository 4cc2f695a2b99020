// Division rounded towards minus infinity; the divisor is positive.
static long floor_div(long dividend, long divisor)
{
    return dividend / divisor - (dividend % divisor < 0);
}
