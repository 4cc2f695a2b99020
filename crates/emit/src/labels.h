
/* The label at which the running thread will be stopped. */
static unsigned int cs;

/* On to the next label, before the one the thread was stopped at and after the one where it is to be stopped. */
#define J(thread, label, next) if (pc[thread] > label || label >= cs) goto next
/* A jump to here must not have passed the label where the thread is to be stopped. */
#define G(label) assume(cs >= label)
