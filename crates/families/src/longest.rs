//! Longest increasing subsequence: `L[i]` is the length of the longest one that ends at index `i`.  One thread for each
//! index looks at all before it in turn, each as soon as its length is there: no length is 0, so 0 is "not yet".

use crate::frame::{Check, Frame, NONDET};
use crate::storage::names;
use crate::text::Text;
use crate::{Parameters, Storage, computes_once};

pub fn frame(parameters: &Parameters) -> Result<Frame, String> {
    computes_once(parameters)?;
    let size = parameters.threads;
    let list = List { storage: parameters.storage(), size };
    Ok(Frame {
        about: vec![
            format!(
                "Longest increasing subsequence of {size} numbers: a thread for each index, which looks at the lengths"
            ),
            "before it as they come.".into(),
        ],
        mistake: format!("the claim is that not all {size} numbers can be in a subsequence"),
        globals: list.globals(),
        inputs: list.inputs(),
        bodies: (0..size).rev().map(|index| list.body(index)).collect(),
        check: Check::AtEnd(list.check(if parameters.safe { size } else { size - 1 })),
        externs: vec![NONDET],
    })
}

struct List {
    storage: Storage,
    size: usize,
}

impl List {
    fn cell(&self, array: &str, index: &str) -> String {
        self.storage.cell(array, &[index])
    }

    fn globals(&self) -> Vec<String> {
        let all = |array: &str| match self.storage {
            Storage::Arrays => self.cell(array, &self.size.to_string()),
            Storage::Scalars => names((0..self.size).map(|index| self.cell(array, &index.to_string()))),
        };
        vec![
            format!("int {}; // the input", all("A")),
            format!("int {}; // the lengths; 0 where there is none yet", all("L")),
        ]
    }

    fn inputs(&self) -> Text {
        let mut out = Text::default();
        self.storage.each(&mut out, "i", 0..self.size, |out, index| {
            out.line(format!("{} = __VERIFIER_nondet_int();", self.cell("A", index)));
        });
        out
    }

    fn body(&self, index: usize) -> Text {
        let mut out = Text::default();
        let own = self.cell("L", &index.to_string());
        if index == 0 {
            out.line(format!("{own} = 1;"));
            return out;
        }
        out.line("int best = 1;");
        self.storage.each(&mut out, "k", 0..index, |out, other| self.step(out, index, other));
        out.line(format!("{own} = best;"));
        out
    }

    fn step(&self, out: &mut Text, index: usize, other: &str) {
        let length = self.cell("L", other);
        let (left, right) = (self.cell("A", other), self.cell("A", &index.to_string()));
        out.wait_while(format!("{length} == 0"));
        out.block(format!("if ({left} < {right} && best < {length} + 1)"), |out| {
            out.line(format!("best = {length} + 1;"));
        });
    }

    fn check(&self, most: usize) -> Text {
        let mut out = Text::default();
        out.line(format!("assert({} <= {most});", self.cell("L", &(self.size - 1).to_string())));
        out
    }
}
