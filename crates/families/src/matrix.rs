//! Sum-Matrix: `S[i][j]` is the sum of all `A[k][l]` with `k >= i` and `l >= j`.  One thread for each row computes it from
//! the last cell to the first; a cell needs the one below it and nothing more of the row below.

use crate::frame::{Check, Frame, NONDET};
use crate::storage::names;
use crate::text::Text;
use crate::{Parameters, Storage, computes_once};

pub fn frame(parameters: &Parameters) -> Result<Frame, String> {
    computes_once(parameters)?;
    let rows = parameters.threads;
    let columns = parameters.columns.unwrap_or(rows);
    let cells = Cells { storage: parameters.storage(), rows, columns };
    Ok(Frame {
        about: vec![
            format!(
                "Sum-Matrix: the sums of the lower right parts of a matrix with {rows} rows and {columns} columns,"
            ),
            "a thread for each row, which goes on as soon as the cell below is there.".into(),
        ],
        mistake: format!("row {} waits for a cell less than it needs", rows - 2),
        globals: cells.globals(),
        inputs: cells.inputs(),
        bodies: (0..rows).map(|row| cells.body(row, !parameters.safe && row + 2 == rows)).collect(),
        check: Check::AtEnd(cells.check()),
        externs: vec![NONDET],
    })
}

struct Cells {
    storage: Storage,
    rows: usize,
    columns: usize,
}

impl Cells {
    fn cell(&self, array: &str, row: usize, column: &str) -> String {
        self.storage.cell(array, &[&row.to_string(), column])
    }

    fn ready(&self, row: usize) -> String {
        self.storage.cell("ready", &[&row.to_string()])
    }

    fn globals(&self) -> Vec<String> {
        let Cells { rows, columns, .. } = *self;
        let told = "// how many cells of a row are there, counted from its end";
        match self.storage {
            Storage::Arrays => vec![
                format!("int A[{rows}][{columns}]; // the input"),
                format!("int S[{rows}][{columns}]; // the sums"),
                format!("int ready[{rows}]; {told}"),
            ],
            Storage::Scalars => {
                let row = |array: &str, row: usize| {
                    format!("int {};", names((0..columns).map(|j| self.cell(array, row, &j.to_string()))))
                };
                let ready = names((0..rows).map(|row| self.ready(row)));
                let arrays = ["A", "S"].into_iter().flat_map(|array| (0..rows).map(move |i| row(array, i)));
                arrays.chain([format!("int {ready}; {told}")]).collect()
            }
        }
    }

    fn inputs(&self) -> Text {
        let mut out = Text::default();
        self.each_input(&mut out, |out, cell| out.line(format!("{cell} = __VERIFIER_nondet_int();")));
        out
    }

    fn each_input(&self, out: &mut Text, visit: impl Fn(&mut Text, &str)) {
        self.storage.each(out, "i", 0..self.rows, |out, row| {
            self.storage.each(out, "j", 0..self.columns, |out, column| {
                visit(out, &self.storage.cell("A", &[row, column]));
            });
        });
    }

    fn body(&self, row: usize, early: bool) -> Text {
        let mut out = Text::default();
        let columns = self.columns;
        out.line("int row = 0;");
        match self.storage {
            Storage::Arrays => out.block(format!("for (int j = {}; j >= 0; j--)", columns - 1), |out| {
                self.step(out, row, "j", &format!("{} - j", columns - usize::from(early)));
            }),
            Storage::Scalars => {
                for column in (0..columns).rev() {
                    let needed = columns - column - usize::from(early);
                    self.step(&mut out, row, &column.to_string(), &needed.to_string());
                }
            }
        }
        out
    }

    /// One cell, when so many of the row below are there.
    fn step(&self, out: &mut Text, row: usize, column: &str, needed: &str) {
        let cell = |array: &str, row: usize| self.cell(array, row, column);
        out.line(format!("row += {};", cell("A", row)));
        if row + 1 == self.rows {
            out.line(format!("{} = row;", cell("S", row)));
        } else {
            out.wait_while(format!("{} < {needed}", self.ready(row + 1)));
            out.line(format!("{} = row + {};", cell("S", row), cell("S", row + 1)));
        }
        out.line(format!("{}++;", self.ready(row)));
    }

    fn check(&self) -> Text {
        let mut out = Text::default();
        out.line("int sum = 0;");
        self.each_input(&mut out, |out, cell| out.line(format!("sum += {cell};")));
        out.line(format!("assert({} == sum);", self.cell("S", 0, "0")));
        out
    }
}
