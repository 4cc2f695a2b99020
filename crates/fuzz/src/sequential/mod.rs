//! Programs without threads: what the interpreter makes of them must be what the machine makes of them.

pub mod csmith;
pub mod outputs;

use crate::process::{self, Ran};
use ir::interp::{Code, End, Machine, Stepped};
use ir::{DataModel, Program};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Runs the first thread to the end of the program and lets `read` look at the final state.  Everything the program leaves
/// open is 0.
pub fn interpret<T>(program: &Program, limit: u64, read: impl FnOnce(&Machine<'_>) -> T) -> Result<T, Stopped> {
    let code = Code::new(program);
    let mut machine = Machine::new(&code);
    for _ in 0..limit {
        let pc = machine.pc(0);
        let at = || format!("line {}", code.pos(pc).line);
        match machine.step(0, &mut |_| 0) {
            Stepped::Done => (),
            Stepped::Ended(End::Halted) => return Ok(read(&machine)),
            Stepped::Ended(end) => return Err(Stopped::Wrong(format!("{end:?} at {}", at()))),
            Stepped::Blocked => return Err(Stopped::Wrong(format!("blocked at {}", at()))),
            Stepped::Violated => return Err(Stopped::Wrong(format!("an assertion fails at {}", at()))),
            Stepped::Unsupported(what) => return Err(Stopped::Unsupported(format!("{what} at {}", at()))),
        }
    }
    Err(Stopped::TooLong)
}

/// Why a program did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    TooLong,
    Unsupported(String),
    Wrong(String),
}

/// The content of a static object, by name; bytes in ascending order.
pub fn bytes_of(machine: &Machine<'_>, name: &str) -> Option<Vec<u8>> {
    let program = machine.code.program;
    let id = program.object_named(name)?;
    let start = machine.code.space.static_address(id);
    (0..program.objects[id].size)
        .map(|offset| machine.locate(start + offset, 1).ok().map(|location| machine.read(location, 1) as u8))
        .collect()
}

/// Reads C for one of the data models.
pub fn load(file: &Path, data_model: DataModel, clang_args: &[String]) -> Result<Program, String> {
    let clang_args = clang_args.to_vec();
    let limit = Some(Duration::from_secs(60));
    let options = front::Options { data_model, clang_args, limit, ..front::Options::default() };
    let loaded = front::load(&[file.to_path_buf()], &options).map_err(|errors| {
        let first = errors.first().map(ToString::to_string);
        format!("not accepted: {}", first.unwrap_or_default())
    })?;
    match ir::validate(&loaded.program).first() {
        Some(wrong) => Err(format!("not valid: {}", wrong.describe(&loaded.program))),
        None => Ok(loaded.program),
    }
}

fn width(data_model: DataModel) -> &'static str {
    match data_model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    }
}

/// Compiles with gcc and runs; the output.  SSE arithmetic, as clang's, on both widths.
pub fn native(file: &Path, to: &Path, data_model: DataModel, args: &[String], limit: Duration) -> Ran {
    let mut compile = Command::new("gcc");
    compile.args(["-O0", "-w", "-fwrapv", "-msse2", "-mfpmath=sse", width(data_model)]).args(args);
    compile.arg(file).arg("-o").arg(to).args(["-lm", "-lpthread"]);
    match process::run(compile, Duration::from_secs(60)) {
        Ran::Output(_) => process::run(Command::new(to), limit),
        other => other,
    }
}

/// Can programs for this data model be compiled and run here?
pub fn is_runnable(data_model: DataModel) -> bool {
    let folder = std::env::temp_dir();
    let stem = format!("unbraid-runnable{}-{}", width(data_model), std::process::id());
    let (file, to) = (folder.join(format!("{stem}.c")), folder.join(&stem));
    let written = std::fs::write(&file, "#include <stdio.h>\nint main(void) { puts(\"yes\"); return 0; }\n");
    let runs = written.is_ok()
        && matches!(native(&file, &to, data_model, &[], Duration::from_secs(10)), Ran::Output(text) if text == "yes\n");
    _ = std::fs::remove_file(file);
    _ = std::fs::remove_file(to);
    runs
}
