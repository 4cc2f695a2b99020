//! The model's text: finds the functions a program needs in the `.ir` files and parses just those.
//!
//! A file is cut at its `func` and object lines, without parsing; what a piece needs are the names of other pieces that
//! occur in it.  So linking a program that uses a mutex costs the parsing of two functions, not of the whole C library.
//!
//! Some functions exist in more than one flavour, so that a program pays only for the features it uses: a program
//! without recursive mutexes gets locks that are one instruction.  A flavour is a file whose pieces take precedence.

use super::prototype::Prototype;
use base::Diagnostic;
use ir::{DataModel, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Lists the flavours with the programs that have them, as in "programs that delete keys".
macro_rules! flavours {
    ($($name:ident: $programs:literal,)*) => {
        /// What a program may do that asks for other versions of some functions.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Flavour { $($name,)* }

        impl Flavour {
            pub const ALL: &[Flavour] = &[$(Flavour::$name,)*];

            fn programs(self) -> &'static str {
                match self { $(Flavour::$name => $programs,)* }
            }
        }
    };
}

flavours! {
    MutexKinds: "in which some mutex may be recursive or error-checking",
    KeyDestructors: "that make keys with destructors",
    CleanupHandlers: "that push clean-up handlers",
    CheckedHandles: "that detach threads, and join some or look at the results",
    Detached: "that set detach states",
    Realloc: "that ask for the size of a block or change it",
    ManyKeys: "that may make more than 64 keys",
    DeletedKeys: "that delete keys",
    KeysAgain: "that may make more than one key",
    ExitHandlers: "that use atexit or on_exit or have destructors",
    ExitStatus: "that use on_exit",
    ExitMany: "that may register more than 64 functions for their end",
    QuickExit: "that use at_quick_exit",
    LastThread: "that use pthread_exit or thrd_exit",
    OnceLeft: "that use pthread_once and pthread_exit, or call_once and thrd_exit",
    SignalSets: "that use sigismember",
    ProcessAndThreadIds: "that use both getpid and gettid",
    OwnHandle: "that use pthread_self or thrd_current",
    ManyFiles: "that may open more than one file with fopen",
    ErrorNumbers: "that look at errno",
    SomeDescriptors: "that make more than one descriptor and at most 8",
    EnvironmentTexts: "that do more with the result of getenv than compare it with null",
    ErrorTexts: "that do more with the result of strerror than print it",
}

/// A file holds for all programs, or takes precedence in those that have all the flavours named.
macro_rules! file {
    ($name:literal $(, $flavour:ident)*) => {
        (concat!($name, ".ir"), include_str!(concat!("lib/", $name, ".ir")), &[$(Flavour::$flavour,)*])
    };
}

/// In the order of the documentation.
const FILES: &[(&str, &str, &[Flavour])] = &[
    file!("thread"),
    file!("thread_attr"),
    file!("thread_self", OwnHandle),
    file!("thread_checked", CheckedHandles),
    file!("thread_detached", Detached),
    file!("thread_cleanup", CleanupHandlers),
    file!("mutex"),
    file!("mutex_kinds", MutexKinds),
    file!("mutex_attr"),
    file!("cond"),
    file!("cond_kinds", MutexKinds),
    file!("rwlock"),
    file!("spin"),
    file!("barrier"),
    file!("once"),
    file!("once_left", OnceLeft),
    file!("keys"),
    file!("keys_destructors", KeyDestructors),
    file!("keys_many", ManyKeys),
    file!("keys_many_destructors", ManyKeys, KeyDestructors),
    file!("keys_deleted", DeletedKeys),
    file!("keys_many_deleted", ManyKeys, DeletedKeys),
    file!("keys_again", DeletedKeys, KeysAgain),
    file!("semaphore"),
    file!("c11"),
    file!("c11_kinds", MutexKinds),
    file!("atomic"),
    file!("verifier"),
    file!("memory"),
    file!("memory_realloc", Realloc),
    file!("string"),
    file!("string_errors", ErrorTexts),
    file!("ctype"),
    file!("stdlib"),
    file!("stdio"),
    file!("stdio_many", ManyFiles),
    file!("files"),
    file!("files_some", SomeDescriptors),
    file!("arguments"),
    file!("environment_texts", EnvironmentTexts),
    file!("process"),
    file!("process_ids", ProcessAndThreadIds),
    file!("exit_handlers", ExitHandlers),
    file!("exit_status", ExitHandlers, ExitStatus),
    file!("exit_quick", QuickExit),
    file!("exit_many", ExitMany),
    file!("exit_last", ExitHandlers, LastThread),
    file!("signal"),
    file!("signal_masks", SignalSets),
    file!("time"),
    file!("math"),
    file!("errno"),
    file!("errno_set", ErrorNumbers),
];

/// Numbers that differ between data models: for ILP32 and for LP64.
const CONSTANTS: &[(&str, i64, i64)] = &[
    // Where glibc's pthread_mutex_t has its kind: after lock, count and owner; on 64 bits also after nusers.
    ("MUTEX_KIND", 12, 16),
    ("POINTER", 4, 8),
    // Bits of a `long` without its sign.
    ("LONG_DIGITS", 31, 63),
    ("LONG_MIN", i32::MIN as i64, i64::MIN),
    ("LONG_MAX", i32::MAX as i64, i64::MAX),
];

/// Sizes that `{N}` stands for in pieces whose name ends in it.
const SIZES: [u32; 5] = [1, 2, 4, 8, 16];

/// One function or object of the model.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The `.ir` file it stands in.
    pub file: &'static str,
    pub name: &'static str,
    /// The comment above it, one or more lines that start with `;`.
    pub comment: &'static str,
    /// The definition.
    pub text: &'static str,
    /// A function, not an object.
    pub function: bool,
}

/// The files in order, each with what its opening prose says and which programs it is for, if not for all.
pub fn files() -> Vec<(&'static str, String, Option<String>)> {
    let prose = |text: &'static str| {
        let lines = text.lines().take_while(|line| line.starts_with(";;"));
        lines.map(|line| line.trim_start_matches(';').trim()).collect::<Vec<_>>().join("\n")
    };
    let which = |flavours: &[Flavour]| {
        let programs: Vec<&str> = flavours.iter().map(|flavour| flavour.programs()).collect();
        (!programs.is_empty()).then(|| format!("programs {}", programs.join(" and ")))
    };
    FILES.iter().map(|(file, text, flavours)| (*file, prose(text), which(flavours))).collect()
}

/// Everything the model has, flavours included, in the order of the files.
pub fn entries() -> Vec<Entry> {
    FILES.iter().flat_map(|(file, text, _)| pieces(file, text)).collect()
}

/// The pieces that hold for programs of some flavours, by name.
pub struct Library {
    pieces: FxHashMap<&'static str, Entry>,
}

impl Library {
    pub fn new(flavours: &[Flavour]) -> Self {
        let holds = |needs: &[Flavour]| needs.iter().all(|flavour| flavours.contains(flavour));
        let mut wanted: Vec<_> = FILES.iter().filter(|(_, _, needs)| holds(needs)).collect();
        // A later piece replaces an earlier one of the same name, so what holds for all programs comes first.
        wanted.sort_by_key(|(_, _, needs)| !needs.is_empty());
        let pieces =
            wanted.iter().flat_map(|(file, text, _)| pieces(file, text)).map(|piece| (piece.name, piece)).collect();
        Library { pieces }
    }

    /// The piece that defines `name`, with the size that its `{N}` stands for, if it has one.
    fn find(&self, name: &str) -> Option<(&Entry, Option<u32>)> {
        if let Some(piece) = self.pieces.get(name) {
            return Some((piece, None));
        }
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let size = SIZES.into_iter().find(|size| name[stem.len()..] == size.to_string())?;
        let piece = self.pieces.get(stem).filter(|piece| piece.is_sized())?;
        Some((piece, Some(size)))
    }

    /// Is there a function of this name?
    pub fn has_function(&self, name: &str) -> bool {
        self.find(name).is_some_and(|(piece, size)| piece.function && piece.is_sized() == size.is_some())
    }

    /// How the function of this name is called.
    pub fn prototype(&self, name: &str) -> Option<Prototype<'static>> {
        let (piece, _) = self.find(name).filter(|(piece, _)| piece.function)?;
        Prototype::parse(piece.text)
    }

    /// A program of the named functions and all they need.
    pub fn program(
        &self,
        names: impl Iterator<Item = impl AsRef<str>>,
        data_model: DataModel,
    ) -> Result<Program, Diagnostic> {
        let mut seen = FxHashSet::default();
        let mut todo: Vec<(&Entry, Option<u32>)> = names.filter_map(|name| self.find(name.as_ref())).collect();
        let mut needed = Vec::new();
        while let Some((piece, size)) = todo.pop() {
            if seen.insert((piece.name, size)) {
                needed.push((piece, size));
                let mentioned = words(piece.text).filter_map(|word| self.pieces.get(word));
                todo.extend(mentioned.filter(|piece| !piece.is_sized()).map(|piece| (piece, None)));
            }
        }
        // Objects stand before functions; within both, the order of names keeps the output the same from run to run.
        needed.sort_by_key(|(piece, size)| (piece.function, piece.name, *size));
        let mut text = String::new();
        for (piece, size) in needed {
            substitute(&mut text, piece.text, data_model, size);
        }
        ir::text::parse_fragment(&text, "model", data_model)
    }
}

impl Entry {
    /// Does it stand for functions of several sizes?  Then its name is what stands before the size.
    pub fn is_sized(&self) -> bool {
        self.function && self.text["func ".len() + self.name.len()..].starts_with("{N}")
    }
}

/// Cuts a file into its functions and objects.
fn pieces(file: &'static str, text: &'static str) -> Vec<Entry> {
    let mut pieces = Vec::new();
    let (mut at, mut comment) = (0, None);
    while let Some(line) = text[at..].split_inclusive('\n').next() {
        let function = line.strip_prefix("func ");
        let object = || line.strip_prefix("global @").or(line.strip_prefix("thread_local @"));
        let Some(name) = function.or_else(object).map(first_word) else {
            let is_comment = line.starts_with(';') && !line.starts_with(";;");
            comment = is_comment.then(|| comment.unwrap_or(at));
            at += line.len();
            continue;
        };
        let end = match function {
            Some(_) => text[at..].find("\n}\n").map_or(text.len(), |length| at + length + "\n}\n".len()),
            None => at + line.len(),
        };
        let comment = &text[comment.take().unwrap_or(at)..at];
        pieces.push(Entry { file, name, comment, text: &text[at..end], function: function.is_some() });
        at = end;
    }
    pieces
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

fn first_word(text: &str) -> &str {
    text.split(|c| !is_name(c)).next().unwrap_or(text)
}

/// The names a piece may mention.  Words within comments and strings are harmless: at worst a piece too many is parsed.
fn words(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(|c| !is_name(c)).filter(|word| !word.is_empty())
}

/// Appends `text` with each `{NAME}` replaced by its number.
fn substitute(out: &mut String, text: &str, data_model: DataModel, size: Option<u32>) {
    let number = |name: &str| match (name, size) {
        ("N", Some(size)) => Some(i64::from(size)),
        ("BITS", Some(size)) => Some(i64::from(size) * 8),
        _ => CONSTANTS.iter().find(|(known, ..)| *known == name).map(|(_, ilp32, lp64)| match data_model {
            DataModel::Ilp32 => *ilp32,
            DataModel::Lp64 => *lp64,
        }),
    };
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let close = from.find('}').unwrap_or(0);
        match from.get(1..close).and_then(number) {
            Some(number) => {
                out.push_str(&number.to_string());
                rest = &from[close + 1..];
            }
            None => {
                out.push('{');
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
}
