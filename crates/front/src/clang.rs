//! Runs clang: C in, LLVM text out, clang's complaints as diagnostics.
//!
//! clang never optimises for us: LLVM assumes that programs have no data races, and would hoist the load out of a spin
//! loop.  Old C must be accepted with what compilers of its time accepted, so a refused file gets a second try in C89.

use crate::{Options, aliases, atomics, diagnose, own_builtins, unreadable};
use base::{Diagnostic, Folder, process};
use ir::DataModel;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

/// The versions whose text the reader knows, best first.
const NAMES: [&str; 7] = ["clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14", "clang"];

/// How every file is compiled.  No pass of LLVM runs, whatever the level says: at level 0 clang would leave out the bodies
/// of C99 `inline` functions.  That also keeps `always_inline` functions as calls, with their lines.
const FLAGS: [&str; 17] = [
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-lifetime-markers",
    // Headers need not know.
    "-U__OPTIMIZE__",
    // Accesses that the program makes say their types, those that clang makes to pass structs do not.
    "-fstrict-aliasing",
    "-g",
    "-fno-discard-value-names",
    "-fno-stack-protector",
    // `sqrt` and the like become operations instead of calls.
    "-fno-math-errno",
    "-ffp-contract=off",
    // The same variable without initialiser in several files is one variable, as it was for decades.
    "-fcommon",
    "-fno-color-diagnostics",
    "-fno-caret-diagnostics",
    "-fno-diagnostics-show-option",
    "-ferror-limit=20",
];

/// Warnings that say what clang passes over.
const WARNINGS: [&str; 3] = ["-Wno-everything", "-Wunknown-attributes", "-Wunknown-pragmas"];
/// Not even what the program's pragmas make an error of.
const NO_WARNINGS: [&str; 1] = ["-w"];

/// clang 19 takes `strchr(s, c)` for null where `c` is a constant that is not the value of a `char`, whereas C converts it to
/// one.  So it is not to know the function, and gets a `char` where the program asks for the built-in one.
const STRCHR: [&str; 2] = ["-fno-builtin-strchr", "-D__builtin_strchr(s,c)=__builtin_strchr((s),(char)(c))"];

/// Where a program does not declare it, it is still the one that compilers know, which returns a pointer.
const KNOWN_STRCHR: &str = "-Dstrchr(s,c)=__builtin_strchr(s,c)";

const LLVM: [&str; 2] = ["-S", "-emit-llvm"];
const TREE: [&str; 3] = ["-fsyntax-only", "-Xclang", "-ast-dump"];

/// What old programs do and new compilers refuse.
const TOLERATED: [&str; 9] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
    "-Wno-error=strict-prototypes",
    "-Wno-error=unknown-warning-option",
];

/// Where the headers of the 64-bit library are; they serve the 32-bit target too, but for one file.
const WIDE_HEADERS: &str = "/usr/include/x86_64-linux-gnu";

/// What clang makes of a file.
#[derive(Default)]
pub struct Text {
    pub llvm: String,
    /// clang's syntax tree, where it is needed to understand the LLVM text.
    pub tree: Option<String>,
}

/// A clang that was found, and how long it may run.
pub struct Clang<'a> {
    program: PathBuf,
    options: &'a Options,
    deadline: Option<Instant>,
    /// What stands in front of every file, and where it is kept.
    pragmas: Option<(String, Folder)>,
}

/// The file of the pragmas in its folder.
const PRAGMAS: &str = "pragmas.h";

impl<'a> Clang<'a> {
    /// Finds clang: the options' choice, the environment's, or the first known version on the search path.
    /// It will take the names in `weak` to be weak.
    pub fn find(options: &'a Options, weak: &[String], deadline: Option<Instant>) -> Result<Self, Diagnostic> {
        let chosen = options.clang.clone().or_else(|| std::env::var_os("UNBRAID_CLANG").map(PathBuf::from));
        let program = match chosen {
            Some(path) => path,
            None => search_path().ok_or_else(|| {
                Diagnostic::error(
                    "clang is not installed (looked for clang-19 to clang-14 and clang on the search path); \
                     install it or name one with UNBRAID_CLANG",
                )
            })?,
        };
        let pragmas = match weak {
            [] => None,
            names => {
                let text = aliases::pragmas(names);
                let fail = |error| Diagnostic::error(format!("a folder for clang's pragmas cannot be made: {error}"));
                let folder = Folder::new().map_err(fail)?;
                std::fs::write(folder.path().join(PRAGMAS), &text).map_err(fail)?;
                Some((text, folder))
            }
        };
        Ok(Clang { program, options, deadline, pragmas })
    }

    /// Compiles a `.c` or `.i` file to LLVM text.
    pub fn compile(&self, file: &Path) -> Result<Text, Vec<Diagnostic>> {
        let text = self.compile_with(file, &[])?;
        let own_strchr = self.options.clang_args.contains(&own_builtins::flag("strchr"));
        if own_strchr || !calls_undeclared_strchr(&text.llvm) {
            return Ok(text);
        }
        // A program that says itself that it returns an `int` means what it says.
        Ok(self.compile_with(file, &[KNOWN_STRCHR.into()]).unwrap_or(text))
    }

    fn compile_with(&self, file: &Path, macros: &[OsString]) -> Result<Text, Vec<Diagnostic>> {
        let preprocessed = file.extension().is_some_and(|extension| extension == "i");
        let read = || std::fs::read(file).map_err(|error| unreadable(file, error));
        let source = if preprocessed { preprocessed_source(read()?, macros) } else { Source::File };
        // Some programs include their own headers as if they were the system's.
        let own: Vec<OsString> = match file.parent() {
            Some(folder) if !preprocessed && !folder.as_os_str().is_empty() => {
                vec!["-idirafter".into(), folder.as_os_str().into()]
            }
            _ => Vec::new(),
        };
        let mut extra = [macros, &own].concat();
        let mut first = match self.attempt(file, &source, &extra) {
            Ok(text) => return Ok(text),
            Err(errors) => errors,
        };
        // Kept until the last try.
        let mut _folder = None;
        if self.options.data_model == DataModel::Ilp32 && !preprocessed && lacks_header(&first) {
            let (headers, made) = wide_headers()?;
            _folder = Some(made);
            extra.extend(headers);
            match self.attempt(file, &source, &extra) {
                Ok(text) => return Ok(text),
                Err(errors) => first = errors,
            }
        }
        let others = taken_names(&first);
        if !others.is_empty() {
            extra.extend(others.iter().map(|name| crate::own_builtins::flag(name).into()));
            if let Ok(text) = self.attempt(file, &source, &extra) {
                return Ok(text);
            }
        }
        // What is wrong with the first try is what the user hears of, whatever the others say.
        self.retry(file, &source, &extra, &first).ok_or(first)
    }

    /// Tries again as old C, and as what gcc accepts.
    fn retry(&self, file: &Path, source: &Source, extra: &[OsString], errors: &[Diagnostic]) -> Option<Text> {
        if lacks_header(errors) || errors.iter().all(|error| error.line == 0) {
            return None;
        }
        let with = |more: &[OsString]| [extra, more].concat();
        let standard_chosen = self.options.clang_args.iter().any(|arg| arg.starts_with("-std"));
        if !standard_chosen && let Ok(text) = self.attempt(file, source, &with(&["-std=gnu89".into()])) {
            return Some(text);
        }
        let words = gcc_words();
        match source {
            Source::File => self.attempt(file, source, &with(&words)).ok(),
            Source::Text { text, .. } => {
                // As C again, so that macros count; or it is not preprocessed after all.
                let again = Source::Text { text: without_atomic_structs(text), language: "c" };
                let found = self.attempt(file, &again, &with(&words)).ok();
                found.or_else(|| self.attempt(file, &Source::File, &with(&["-x".into(), "c".into()])).ok())
            }
        }
    }

    fn attempt(&self, file: &Path, source: &Source, extra: &[OsString]) -> Result<Text, Vec<Diagnostic>> {
        let run = |what: &[&str], warnings: &[&str]| self.run(file, source, extra, &[what, warnings].concat());
        let first = run(&LLVM, &WARNINGS)?;
        let passed_over = diagnose::passed_over(&String::from_utf8_lossy(&first.stderr));
        if !passed_over.is_empty() {
            return Err(passed_over);
        }
        let text = |output: Output| match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(diagnose::errors(&String::from_utf8_lossy(&output.stderr), file)),
        };
        let llvm = text(if first.status.success() { first } else { run(&LLVM, &NO_WARNINGS)? })?;
        // clang can fail to print what it has compiled; then nothing is known for certain.
        let tree =
            if atomics::concern(&llvm) { Some(text(run(&TREE, &NO_WARNINGS)?).unwrap_or_default()) } else { None };
        Ok(Text { llvm, tree })
    }

    fn run(&self, file: &Path, source: &Source, extra: &[OsString], flags: &[&str]) -> Result<Output, Vec<Diagnostic>> {
        let mut command = Command::new(&self.program);
        command.args(flags).args(FLAGS).args(TOLERATED).args(STRCHR);
        match self.options.data_model {
            DataModel::Ilp32 => command.arg("--target=i386-linux-gnu"),
            // With it atomic accesses of sixteen bytes are instructions.
            DataModel::Lp64 => command.args(["--target=x86_64-linux-gnu", "-mcx16"]),
        };
        // A call that is a violation must stay a call.
        command.args(self.options.link.error_functions.iter().map(|name| own_builtins::flag(name)));
        command.args(extra).args(&self.options.clang_args).arg("-o").arg("-");
        let input = match source {
            Source::File => {
                if let Some((_, folder)) = &self.pragmas {
                    command.arg("-include").arg(folder.path().join(PRAGMAS));
                }
                // A name that begins with a dash is a file all the same.
                command.arg("--").arg(file);
                None
            }
            Source::Text { text, language } => {
                command.args(["-x", language, "-"]);
                let pragmas = self.pragmas.as_ref().map_or(&b""[..], |(pragmas, _)| pragmas.as_bytes());
                Some([pragmas, &own_lines(file, text)].concat())
            }
        };
        process::run(command, input, self.deadline).map_err(|error| vec![self.failure(&error)])
    }

    fn failure(&self, error: &io::Error) -> Diagnostic {
        let name = self.program.display();
        Diagnostic::error(match error.kind() {
            io::ErrorKind::NotFound => format!("clang is not installed: no program {name}"),
            io::ErrorKind::TimedOut => format!("{name} did not finish in time"),
            _ => format!("{name} cannot be run: {error}"),
        })
    }
}

enum Source {
    /// clang reads the file itself.
    File,
    /// Preprocessed text, passed on through a pipe and read as such, or as C.
    Text { text: Vec<u8>, language: &'static str },
}

/// Does the program call `strchr` without a declaration?  Then clang, told not to know the function, takes it to return an `int`.
fn calls_undeclared_strchr(text: &str) -> bool {
    text.lines().any(|line| line.contains("call i32 (") && line.contains("@strchr("))
}

/// Preprocessed text is read as C where macros are to count in it.
fn preprocessed_source(text: Vec<u8>, macros: &[OsString]) -> Source {
    const BUILTIN: &[u8] = b"__builtin_strchr";
    let asks_for_strchr = text.windows(BUILTIN.len()).any(|window| window == BUILTIN);
    Source::Text { text, language: if asks_for_strchr || !macros.is_empty() { "c" } else { "cpp-output" } }
}

/// Macros that make clang understand what gcc's headers use: types and attributes that clang does not have, and atomic
/// functions applied to `_Atomic` variables.
fn gcc_words() -> Vec<OsString> {
    let mut words = [
        "-D_Float128=__float128",
        "-D_Float32=float",
        "-D_Float64=double",
        "-D_Float32x=double",
        "-D_Float64x=long double",
        "-D__malloc__(...)=__malloc__",
    ]
    .map(OsString::from)
    .to_vec();
    let operations = ["add", "sub", "and", "or", "xor", "nand"];
    let both = |name: &&str| [format!("fetch_{name}"), format!("{name}_fetch")];
    let accesses = ["load", "store", "exchange", "compare_exchange"];
    let names = accesses.iter().flat_map(|name| [name.to_string(), format!("{name}_n")]);
    for name in names.chain(operations.iter().flat_map(both)) {
        let cast = format!("-D__atomic_{name}(p,...)=__atomic_{name}((__typeof__((void)0,*(p))*)(p),__VA_ARGS__)");
        words.push(cast.into());
    }
    words
}

/// The preprocessed text with its line markers blanked, so that positions are lines of the file the user gave, which is
/// the one that he can open.
fn own_lines(file: &Path, text: &[u8]) -> Vec<u8> {
    let name = file.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = format!("# 1 \"{name}\"\n").into_bytes();
    out.reserve(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if is_line_marker(line) { out.push(b'\n') } else { out.extend_from_slice(line) }
    }
    out
}

/// gcc's `atomic_flag` is an `_Atomic` struct, which clang cannot initialise; its functions make it atomic anyway.
/// Columns stay as they are.
fn without_atomic_structs(text: &[u8]) -> Vec<u8> {
    const WORDS: &[u8] = b"typedef _Atomic struct";
    let mut out = text.to_vec();
    let mut at = 0;
    while let Some(found) = out[at..].windows(WORDS.len()).position(|window| window == WORDS) {
        at += found;
        out[at + 8..at + 15].fill(b' ');
        at += WORDS.len();
    }
    out
}

/// `# 12 "file.h" 3 4` or `#line 12 "file.h"`, with white space anywhere.
fn is_line_marker(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
}

/// Names of functions that clang knows and the program uses for something else, a variable for example.
fn taken_names(errors: &[Diagnostic]) -> Vec<&str> {
    let words = errors.iter().filter_map(|error| error.message.strip_prefix("redefinition of '"));
    words.filter_map(|words| words.strip_suffix("' as different kind of symbol")).collect()
}

fn lacks_header(errors: &[Diagnostic]) -> bool {
    errors.iter().any(|error| error.message.ends_with("file not found"))
}

/// Arguments that let the 32-bit target use the 64-bit library's headers.  They are written for both; only a list of
/// missing functions, of no interest here, exists for 32 bits in another package, so an empty one is put in its place.
/// The folder goes when the second value is dropped.
fn wide_headers() -> Result<(Vec<OsString>, Folder), Vec<Diagnostic>> {
    let fail = |error| vec![Diagnostic::error(format!("a folder for the 32-bit headers cannot be made: {error}"))];
    let folder = Folder::new().map_err(fail)?;
    std::fs::create_dir(folder.path().join("gnu")).map_err(fail)?;
    std::fs::write(folder.path().join("gnu/stubs-32.h"), "").map_err(fail)?;
    let args = vec!["-idirafter".into(), WIDE_HEADERS.into(), "-idirafter".into(), folder.path().as_os_str().into()];
    Ok((args, folder))
}

fn search_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|program| program.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers_are_blanked_and_nothing_else() {
        let text = b"# 1 \"a.c\" 3\nint x;\n#line 7 \"b.c\"\n#pragma pack(1)\n#\n";
        let own = own_lines(Path::new("t.i"), text);
        assert_eq!(String::from_utf8(own).unwrap(), "# 1 \"t.i\"\n\nint x;\n\n#pragma pack(1)\n#\n");
    }
}
