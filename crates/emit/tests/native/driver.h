/* What a sequential program calls when the driver runs it. */
unsigned int driver_next_switch(unsigned int from, unsigned int to);
#define NEXT_SWITCH(from, to) driver_next_switch(from, to)
#define abort driver_pruned
#define malloc driver_fresh
#define calloc driver_fresh_zeroed
#define aligned_alloc driver_fresh_aligned
#define free driver_release
#define main driver_sequential
