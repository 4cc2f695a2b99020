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
            Flavour::Cbmc => include_str!("flavours/cbmc.h"),
            Flavour::Esbmc => include_str!("flavours/esbmc.h"),
            Flavour::CpaChecker => include_str!("flavours/cpachecker.h"),
            Flavour::SvComp => include_str!("flavours/svcomp.h"),
        }
    }
}
