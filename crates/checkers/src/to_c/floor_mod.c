// What is left of that division: from 0 up.
static long floor_mod(long dividend, long divisor)
{
    return dividend % divisor < 0 ? dividend % divisor + divisor : dividend % divisor;
}
