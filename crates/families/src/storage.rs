//! Shared data as arrays with loops over them, or as a variable for each cell without loops.

use crate::Storage;
use crate::text::Text;
use std::ops::Range;

impl Storage {
    /// A cell by its indices.
    pub fn cell(self, array: &str, indices: &[&str]) -> String {
        match self {
            Storage::Arrays => format!("{array}[{}]", indices.join("][")),
            Storage::Scalars => format!("{array}{}", indices.join("_")),
        }
    }

    /// Does something for each index: in a loop over the variable, or one after the other.
    pub fn each(self, out: &mut Text, variable: &str, range: Range<usize>, mut visit: impl FnMut(&mut Text, &str)) {
        let Range { start, end } = range;
        match self {
            Storage::Arrays if range.is_empty() => (),
            Storage::Arrays => {
                let head = format!("for (int {variable} = {start}; {variable} < {end}; {variable}++)");
                out.block(head, |out| visit(out, variable));
            }
            Storage::Scalars => range.for_each(|index| visit(out, &index.to_string())),
        }
    }
}

/// Variables for all cells of a list.
pub fn names(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(", ")
}
