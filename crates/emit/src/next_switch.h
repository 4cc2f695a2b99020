
/* The label at which a thread is stopped this time: a guess.  To follow a certain schedule, define this otherwise. */
#ifndef NEXT_SWITCH
#define NEXT_SWITCH(from, to) __VERIFIER_nondet_uint()
#endif
