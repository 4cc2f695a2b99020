//! Tables with tabs: the lists of programs, and the results.

use crate::check::Said;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A table whose first line names the columns.  Lines that start with `#` are comments.
pub struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| about(path, error))?;
        Table::parse(&text).ok_or_else(|| format!("{}: the table is empty", path.display()))
    }

    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let columns: HashMap<String, usize> =
            lines.next()?.split('\t').enumerate().map(|(index, name)| (name.to_string(), index)).collect();
        // An interrupted run may leave half a line.
        let rows = lines.map(|line| line.split('\t').map(String::from).collect::<Vec<_>>());
        let rows = rows.filter(|row| row.len() == columns.len()).collect();
        Some(Table { columns, rows })
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|cells| Row { table: self, cells })
    }

    /// What was said, by the cells of these columns.
    pub fn results(&self, of: &[&str]) -> BTreeMap<String, Said> {
        let of = |row: &Row<'_>| of.iter().map(|column| row.get(column)).collect::<Vec<_>>().join("\t");
        self.rows().filter_map(|row| Some((of(&row), Said::of(&row)?))).collect()
    }
}

/// Writes a file, in a folder that is made where there is none.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    make(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| about(path, error))
}

fn make(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    File::create(path)
}

fn about(path: &Path, error: std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Results by what they are of, which go to a file row by row: a run that was interrupted goes on where it stopped.
pub struct Results {
    known: BTreeMap<String, Said>,
    file: File,
}

impl Results {
    /// Goes on with the results in the file if they were found with the same settings, unless all is to be fresh.  The cells
    /// of the columns `of` say what a result is of.
    pub fn open(path: &Path, settings: &str, of: &[&str], fresh: bool) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let same = !fresh && text.lines().next() == Some(settings);
        let known = Table::parse(&text).filter(|_| same).map_or_else(BTreeMap::new, |table| table.results(of));
        let file = make(path).map_err(|error| about(path, error))?;
        let mut results = Results { known: BTreeMap::new(), file };
        let columns: Vec<&str> = of.iter().copied().chain(Said::COLUMNS).collect();
        results.write(&format!("{settings}\n{}", columns.join("\t")))?;
        known.into_iter().try_for_each(|(of, said)| results.keep(of, said))?;
        Ok(results)
    }

    pub fn get(&self, of: &str) -> Option<&Said> {
        self.known.get(of)
    }

    pub fn keep(&mut self, of: String, said: Said) -> Result<(), String> {
        self.write(&format!("{of}\t{}", said.cells().join("\t")))?;
        self.known.insert(of, said);
        Ok(())
    }

    /// At once: the run may be interrupted.
    fn write(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.file, "{line}").and_then(|()| self.file.flush()).map_err(|error| error.to_string())
    }
}

pub struct Row<'t> {
    table: &'t Table,
    cells: &'t [String],
}

impl<'t> Row<'t> {
    /// The cell of a column; empty where there is no such column.
    pub fn get(&self, column: &str) -> &'t str {
        self.table.columns.get(column).and_then(|index| self.cells.get(*index)).map_or("", String::as_str)
    }
}

/// One program with one property.
#[derive(Clone, Debug)]
pub struct Task {
    /// Relative to the folder of programs.
    pub path: String,
    pub property: String,
    /// The program satisfies the property.
    pub expected: bool,
    pub data_model: String,
    pub tier: String,
    pub note: String,
    /// The verdict that we think is right instead, and why.
    pub disputed: Option<(String, String)>,
}

impl Task {
    /// The columns by which its result is known.
    pub const OF: [&str; 4] = ["path", "property", "expected", "tier"];

    pub fn key(&self) -> String {
        format!("{}\t{}\t{}\t{}", self.path, self.property, self.expected, self.tier)
    }
    /// The first folder of the path.
    pub fn category(&self) -> &str {
        self.path.split('/').next().unwrap_or("")
    }
}

/// Labels that were looked into and found wrong.
fn disputed() -> Result<HashMap<String, (String, String)>, String> {
    let table = Table::parse(include_str!("../disputed.tsv")).ok_or("disputed.tsv is empty")?;
    let entry = |row: Row<'_>| {
        let key = format!("{}\t{}", row.get("path"), row.get("property"));
        (key, (row.get("verdict").to_string(), row.get("why").to_string()))
    };
    Ok(table.rows().map(entry).collect())
}

/// The folder of programs and the tasks of a list.
pub fn tasks(suite: &Path, list: &str) -> Result<(PathBuf, Vec<Task>), String> {
    let folder = [suite.join("suite"), suite.to_path_buf()]
        .into_iter()
        .find(|folder| folder.join("index.tsv").is_file())
        .ok_or_else(|| format!("{}: no index.tsv here or in suite/", suite.display()))?;
    let index = Table::read(&folder.join("index.tsv"))?;
    let list_path = [suite.join(list), folder.join(list), PathBuf::from(list)]
        .into_iter()
        .find(|path| path.is_file())
        .ok_or_else(|| format!("{list}: no such list in {}", suite.display()))?;
    let table = Table::read(&list_path)?;
    // A list may leave out what the index knows.
    let known: HashMap<(&str, &str), Row<'_>> =
        index.rows().map(|row| ((row.get("path"), row.get("property")), row)).collect();
    let disputed = disputed()?;
    let mut tasks = Vec::new();
    for row in table.rows() {
        let (path, property) = (row.get("path"), row.get("property"));
        let full = known.get(&(path, property));
        let get = |column: &str| match row.get(column) {
            "" => full.map_or("", |full| full.get(column)).to_string(),
            cell => cell.to_string(),
        };
        let expected = match get("expected").as_str() {
            "true" => true,
            "false" => false,
            other => return Err(format!("{path}: the expected verdict is `{other}`")),
        };
        tasks.push(Task {
            path: path.into(),
            property: property.into(),
            expected,
            data_model: get("data_model"),
            tier: get("tier"),
            note: get("note"),
            disputed: disputed.get(&format!("{path}\t{property}")).cloned(),
        });
    }
    Ok((folder, tasks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_line_is_no_row() {
        let table = Table::parse("# made today\na\tb\n1\t2\n\n3").unwrap();
        let cells: Vec<&str> = table.rows().map(|row| row.get("b")).collect();
        assert_eq!(cells, ["2"]);
        assert_eq!(table.rows().next().unwrap().get("c"), "");
    }
}
