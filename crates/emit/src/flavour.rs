//! What differs from verifier to verifier: how to assume, and how to fail.

/// Whom the output is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flavour {
    Cbmc,
    Esbmc,
    CpaChecker,
    /// The rules of the competition: what most verifiers read.
    SvComp,
}

impl Flavour {
    pub const ALL: [Flavour; 4] = [Flavour::Cbmc, Flavour::Esbmc, Flavour::CpaChecker, Flavour::SvComp];

    pub fn name(self) -> &'static str {
        match self {
            Flavour::Cbmc => "cbmc",
            Flavour::Esbmc => "esbmc",
            Flavour::CpaChecker => "cpachecker",
            Flavour::SvComp => "svcomp",
        }
    }

    /// The definitions of `assume` and `reach_error`.
    pub fn preamble(self) -> &'static str {
        match self {
            Flavour::Cbmc => {
                "\
#ifndef __CPROVER__
extern void __CPROVER_assume(_Bool);
extern void __CPROVER_assert(_Bool, const char *);
#endif
#define assume(condition) __CPROVER_assume(condition)
void reach_error(void)
{
    __CPROVER_assert(0, \"reach_error\");
    __CPROVER_assume(0);
}
"
            }
            Flavour::Esbmc => {
                "\
extern void __ESBMC_assume(_Bool);
extern void __ESBMC_assert(_Bool, const char *);
#define assume(condition) __ESBMC_assume(condition)
void reach_error(void)
{
    __ESBMC_assert(0, \"reach_error\");
    __ESBMC_assume(0);
}
"
            }
            Flavour::CpaChecker => {
                "\
extern void reach_error(void);
extern void __VERIFIER_assume(int);
#define assume(condition) __VERIFIER_assume(condition)
"
            }
            Flavour::SvComp => {
                "\
extern void reach_error(void);
extern void abort(void);
static inline void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}
#define assume(condition) assume_abort_if_not(condition)
"
            }
        }
    }
}
