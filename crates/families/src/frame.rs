//! What the programs of all families have in common: declarations, one function per thread, and a main function that
//! sets the inputs, creates the threads and waits for them.

use crate::shuffle::Names;
use crate::text::Text;
use crate::{Claimant, Parameters, Program};

/// The parts in which families differ.
#[derive(Default)]
pub struct Frame {
    /// What the program is, for whoever opens the file.
    pub about: Vec<String>,
    /// What is wrong in the unsafe twin.
    pub mistake: String,
    pub globals: Vec<String>,
    /// What main does before there are threads.
    pub inputs: Text,
    /// What each thread does, in the natural order.
    pub bodies: Vec<Text>,
    /// The claim, made at the end of the first thread or of main.
    pub check: Check,
    /// The library functions it calls beside those of pthread.
    pub externs: Vec<&'static str>,
}

#[derive(Default)]
pub enum Check {
    AtEnd(Text),
    /// It is among the lines of the first thread, since that has no end or holds at one place only.
    #[default]
    Within,
}

pub const NONDET: &str = "extern int __VERIFIER_nondet_int(void);";
pub const ATOMIC: [&str; 2] =
    ["extern void __VERIFIER_atomic_begin(void);", "extern void __VERIFIER_atomic_end(void);"];

impl Frame {
    pub fn program(self, parameters: &Parameters, names: &Names) -> Result<Program, String> {
        let at_end = match (&self.check, parameters.place) {
            (Check::AtEnd(check), _) => Some(check),
            (Check::Within, Claimant::Thread) => None,
            (Check::Within, Claimant::Main) => {
                return Err("main has nothing to claim here: the property is one of the threads while they run".into());
            }
        };
        let mut out = Text::default();
        out.line(format!("// cargo xtask family {}", parameters.options()));
        out.line("//");
        self.about.iter().for_each(|line| out.line(format!("// {line}")));
        if !parameters.safe {
            out.line(format!("// Unsafe: {}.", self.mistake));
        }
        out.line("");
        out.line("#include <assert.h>");
        out.line("#include <pthread.h>");
        out.line("");
        if !self.externs.is_empty() {
            self.externs.iter().for_each(|line| out.line(line));
            out.line("");
        }
        self.globals.iter().for_each(|line| out.line(line));
        for &thread in names.creation() {
            out.line("");
            out.block(format!("void *{}(void *arg)", names.function(thread)), |out| {
                out.lines(&self.bodies[thread]);
                if let (0, Claimant::Thread, Some(check)) = (thread, parameters.place, at_end) {
                    out.lines(check);
                }
                out.line("return arg;");
            });
        }
        out.line("");
        out.block("int main(void)", |out| {
            let creation = names.creation();
            let ids: Vec<String> = creation.iter().map(|&thread| format!("id{}", names.number(thread))).collect();
            out.line(format!("pthread_t {};", ids.join(", ")));
            out.lines(&self.inputs);
            for &thread in creation {
                out.line(format!("pthread_create(&id{}, 0, {}, 0);", names.number(thread), names.function(thread)));
            }
            ids.iter().for_each(|id| out.line(format!("pthread_join({id}, 0);")));
            if let (Claimant::Main, Some(check)) = (parameters.place, at_end) {
                out.lines(check);
            }
            out.line("return 0;");
        });
        let order = (0..parameters.threads).map(|thread| names.function(thread)).collect();
        let because = (!parameters.safe).then_some(self.mistake);
        Ok(Program { text: out.finish(), safe: parameters.safe, because, order })
    }
}
