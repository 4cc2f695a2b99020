//! Pascal's triangle: `P[r][k]` is the number of ways to choose `k` of `r`.  One thread for each row from 1 up; a cell within
//! a row is the sum of two of the row before, and is computed when these are there.

use crate::frame::{Check, Frame};
use crate::storage::names;
use crate::text::Text;
use crate::{Parameters, Storage, computes_once};

/// The last row whose numbers are all below 2^31.
const LAST_ROW: usize = 33;

pub fn frame(parameters: &Parameters) -> Result<Frame, String> {
    computes_once(parameters)?;
    let rows = parameters.threads;
    if rows > LAST_ROW {
        return Err(format!("row {rows} of Pascal's triangle has numbers beyond 32 bits; {LAST_ROW} threads at most"));
    }
    let triangle = Triangle { storage: parameters.storage(), rows };
    Ok(Frame {
        about: vec![
            format!(
                "Pascal's triangle up to row {rows}: a thread for each row, which goes on as soon as the two cells"
            ),
            "above are there.".into(),
        ],
        mistake: "row 2 waits for a cell less than it needs".into(),
        globals: triangle.globals(),
        inputs: Text::default(),
        bodies: (1..=rows).rev().map(|row| triangle.body(row, !parameters.safe && row == 2)).collect(),
        check: Check::AtEnd(triangle.check()),
        externs: Vec::new(),
    })
}

struct Triangle {
    storage: Storage,
    rows: usize,
}

impl Triangle {
    fn cell(&self, row: usize, column: &str) -> String {
        self.storage.cell("P", &[&row.to_string(), column])
    }

    fn ready(&self, row: usize) -> String {
        self.storage.cell("ready", &[&row.to_string()])
    }

    fn globals(&self) -> Vec<String> {
        let size = self.rows + 1;
        let told = "// how many cells of a row are there";
        match self.storage {
            Storage::Arrays => vec![format!("int P[{size}][{size}];"), format!("int ready[{size}]; {told}")],
            Storage::Scalars => {
                let row =
                    |row: usize| format!("int {};", names((0..=row).map(|column| self.cell(row, &column.to_string()))));
                let ready = names((1..=self.rows).map(|row| self.ready(row)));
                (1..=self.rows).map(row).chain([format!("int {ready}; {told}")]).collect()
            }
        }
    }

    fn body(&self, row: usize, early: bool) -> Text {
        let mut out = Text::default();
        let one = |out: &mut Text, column: usize| {
            out.line(format!("{} = 1;", self.cell(row, &column.to_string())));
            out.line(format!("{}++;", self.ready(row)));
        };
        one(&mut out, 0);
        self.storage.each(&mut out, "k", 1..row, |out, column| {
            // Numbers are computed here, variables by the program.
            let (left, needed) = match column.parse::<usize>() {
                Ok(column) => ((column - 1).to_string(), (column + 1 - usize::from(early)).to_string()),
                Err(_) => ("k - 1".into(), if early { "k".into() } else { "k + 1".into() }),
            };
            self.step(out, row, [&left, column], &needed);
        });
        one(&mut out, row);
        out
    }

    /// The second column of the two, when so many cells of the row above are there.
    fn step(&self, out: &mut Text, row: usize, columns: [&str; 2], needed: &str) {
        let [left, right] = columns.map(|column| self.cell(row - 1, column));
        out.wait_while(format!("{} < {needed}", self.ready(row - 1)));
        out.line(format!("{} = {left} + {right};", self.cell(row, columns[1])));
        out.line(format!("{}++;", self.ready(row)));
    }

    /// The ones at both ends are written by who claims this; the others were computed.
    fn check(&self) -> Text {
        let row = self.rows;
        let equal = |column: usize| format!("{} == {}", self.cell(row, &column.to_string()), binomial(row, column));
        let claims: Vec<String> = (1..row).map(equal).collect();
        let mut out = Text::default();
        out.line(format!("assert({});", claims.join(" && ")));
        out
    }
}

fn binomial(n: usize, k: usize) -> u64 {
    // Exact at each step: what is divided is a product of `i` numbers in a row.
    (1..=k as u64).fold(1, |value, i| value * (n as u64 + 1 - i) / i)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_triangle() {
        assert_eq!((0..=4).map(|k| binomial(4, k)).collect::<Vec<_>>(), [1, 4, 6, 4, 1]);
        assert!(binomial(LAST_ROW, LAST_ROW / 2) <= i32::MAX as u64);
        assert!(binomial(LAST_ROW + 1, LAST_ROW.div_ceil(2)) > i32::MAX as u64);
    }
}
