//! Hand-written programs that record numbers: the header `out.h` puts them into an array that is printed where the program
//! runs natively, and read out of the final state where it is interpreted.

use super::{Stopped, bytes_of, interpret, load, native};
use crate::process::Ran;
use ir::DataModel;
use std::path::Path;
use std::time::Duration;

/// The first difference between the two, in words; `None` if there is none.
pub fn compare(file: &Path, data_model: DataModel, scratch: &Path) -> Result<usize, String> {
    let natively = match native(file, scratch, data_model, &["-DNATIVE".into()], Duration::from_secs(20)) {
        Ran::Output(text) => text,
        Ran::Failed(why) => return Err(format!("does not run natively: {why}")),
        Ran::TimedOut => return Err("does not end natively".into()),
    };
    _ = std::fs::remove_file(scratch);
    let expected: Vec<(i64, i64)> = natively
        .lines()
        .filter_map(|line| {
            let (at, value) = line.split_once(' ')?;
            Some((at.parse().ok()?, value.parse().ok()?))
        })
        .collect();
    let program = load(file, data_model, &[])?;
    let read = interpret(&program, 100_000_000, |machine| {
        let numbers = |name: &str| {
            let bytes = bytes_of(machine, name).unwrap_or_default();
            bytes.chunks_exact(8).map(|chunk| chunk.try_into().map_or(0, i64::from_le_bytes)).collect::<Vec<i64>>()
        };
        (numbers("out_count"), numbers("out_lines"), numbers("out_values"))
    });
    let (count, lines, values) = read.map_err(|stopped| match stopped {
        Stopped::TooLong => "does not end".to_string(),
        Stopped::Unsupported(what) => format!("not supported: {what}"),
        Stopped::Wrong(why) => why,
    })?;
    let count = count.first().copied().unwrap_or(0) as usize;
    let found: Vec<(i64, i64)> = lines.into_iter().zip(values).take(count).collect();
    for (n, (expected, found)) in expected.iter().zip(&found).enumerate() {
        if expected != found {
            let ((line, should), (at, is)) = (expected, found);
            return Err(format!(
                "value {n} is {is} ({is:#x}, line {at}), should be {should} ({should:#x}, line {line})"
            ));
        }
    }
    if expected.len() != found.len() {
        return Err(format!("{} values, should be {}", found.len(), expected.len()));
    }
    if expected.is_empty() {
        return Err("there are no values to compare".into());
    }
    Ok(expected.len())
}
