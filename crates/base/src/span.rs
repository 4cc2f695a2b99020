//! Source positions: a file of the program's file table, a line and a column, both counted from 1.

crate::id!(
    /// A file in the program's file table.
    pub struct FileId, "file"
);

/// Where something stands in the user's text.  Line 0 means "nowhere": code that no line of the user's stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pos {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

impl Default for Pos {
    fn default() -> Self {
        Pos::NONE
    }
}

impl Pos {
    pub const NONE: Pos = Pos { file: FileId(0), line: 0, column: 0 };

    pub fn new(file: FileId, line: u32, column: u32) -> Self {
        Pos { file, line, column }
    }
    pub fn is_none(self) -> bool {
        self.line == 0
    }
}
