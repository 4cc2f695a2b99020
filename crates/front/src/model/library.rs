//! The model's text: finds the functions a program needs in the `.ir` files and parses just those.
//!
//! A file is cut at its `func` and object lines, without parsing; what a piece needs are the names of other pieces that
//! occur in it.  So linking a program that uses a mutex costs the parsing of two functions, not of the whole C library.
//!
//! Some functions exist in more than one flavour, so that a program pays only for the features it uses: a program
//! without recursive mutexes gets locks that are one instruction.  A flavour is a file whose pieces take precedence.

use base::Diagnostic;
use ir::{DataModel, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a program does that asks for other versions of some functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flavours {
    /// There may be recursive or error-checking mutexes.
    pub mutex_kinds: bool,
    /// There may be thread-specific keys with destructors, which the end of a thread runs.
    pub key_destructors: bool,
    /// There may be clean-up handlers, which `pthread_exit` would have to run.
    pub cleanup_handlers: bool,
    /// Threads are detached, and the results of `pthread_join` or `pthread_detach` matter.
    pub checked_handles: bool,
    /// There may be threads that are detached from the start.
    pub detached: bool,
    /// Blocks may be asked for their size.
    pub realloc: bool,
    /// There may be more thread-specific keys than a small table has room for.
    pub many_keys: bool,
    /// Thread-specific keys may be deleted.
    pub deleted_keys: bool,
    /// Functions are to be called at the end of the program.
    pub exit_handlers: bool,
    /// Some of those get the status.
    pub exit_status: bool,
    /// More functions may be registered for the end of the program than a table has room for.
    pub exit_many: bool,
    /// Functions are to be called by `quick_exit`.
    pub quick_exit: bool,
    /// Functions are to be called at the end of the program, which may be that of the last thread.
    pub last_thread: bool,
    /// Sets of signals are looked into.
    pub signal_sets: bool,
    /// The process is asked for its number, and threads for theirs.
    pub process_and_thread_ids: bool,
    /// Threads ask for their own handles, and may try to join themselves.
    pub own_handle: bool,
    /// More than one file may be open.
    pub many_files: bool,
    /// The error number is looked at.
    pub error_numbers: bool,
    /// More than one descriptor may be open, but not more than a small table has room for.
    pub some_descriptors: bool,
    /// A thread-specific key may be made after another was deleted.
    pub keys_again: bool,
    /// Values of variables of the environment are looked at.
    pub environment_texts: bool,
}

impl Flavours {
    /// Everything there is, for those who ask which functions are known at all.
    pub const ALL: Flavours = Flavours {
        mutex_kinds: true,
        key_destructors: true,
        cleanup_handlers: true,
        checked_handles: true,
        detached: true,
        realloc: true,
        many_keys: true,
        deleted_keys: true,
        exit_handlers: true,
        exit_status: true,
        exit_many: true,
        quick_exit: true,
        last_thread: true,
        signal_sets: true,
        process_and_thread_ids: true,
        own_handle: true,
        many_files: true,
        error_numbers: true,
        some_descriptors: true,
        keys_again: true,
        environment_texts: true,
    };
}

/// Does a file hold for all programs, or take precedence in some?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum For {
    All,
    MutexKinds,
    KeyDestructors,
    CleanupHandlers,
    CheckedHandles,
    Detached,
    Realloc,
    ManyKeys,
    ManyKeysDestructors,
    DeletedKeys,
    ExitHandlers,
    ExitStatus,
    ExitMany,
    QuickExit,
    LastThread,
    SignalSets,
    ProcessAndThreadIds,
    OwnHandle,
    ManyFiles,
    ErrorNumbers,
    SomeDescriptors,
    KeysAgain,
    EnvironmentTexts,
}

macro_rules! file {
    ($name:literal, $for:ident) => {
        (concat!($name, ".ir"), include_str!(concat!("lib/", $name, ".ir")), For::$for)
    };
}

/// In the order of the documentation.
const FILES: &[(&str, &str, For)] = &[
    file!("thread", All),
    file!("thread_attr", All),
    file!("thread_self", OwnHandle),
    file!("thread_checked", CheckedHandles),
    file!("thread_detached", Detached),
    file!("thread_cleanup", CleanupHandlers),
    file!("mutex", All),
    file!("mutex_kinds", MutexKinds),
    file!("mutex_attr", All),
    file!("cond", All),
    file!("cond_kinds", MutexKinds),
    file!("rwlock", All),
    file!("spin", All),
    file!("barrier", All),
    file!("once", All),
    file!("keys", All),
    file!("keys_destructors", KeyDestructors),
    file!("keys_many", ManyKeys),
    file!("keys_many_destructors", ManyKeysDestructors),
    file!("keys_deleted", DeletedKeys),
    file!("keys_again", KeysAgain),
    file!("semaphore", All),
    file!("c11", All),
    file!("c11_kinds", MutexKinds),
    file!("atomic", All),
    file!("verifier", All),
    file!("memory", All),
    file!("memory_realloc", Realloc),
    file!("string", All),
    file!("ctype", All),
    file!("stdlib", All),
    file!("stdio", All),
    file!("stdio_many", ManyFiles),
    file!("files", All),
    file!("files_some", SomeDescriptors),
    file!("arguments", All),
    file!("environment_texts", EnvironmentTexts),
    file!("process", All),
    file!("process_ids", ProcessAndThreadIds),
    file!("exit_handlers", ExitHandlers),
    file!("exit_status", ExitStatus),
    file!("exit_quick", QuickExit),
    file!("exit_many", ExitMany),
    file!("exit_last", LastThread),
    file!("signal", All),
    file!("signal_masks", SignalSets),
    file!("time", All),
    file!("math", All),
    file!("errno", All),
    file!("errno_set", ErrorNumbers),
];

/// A number that differs between data models.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    name: &'static str,
    ilp32: i64,
    lp64: i64,
}

impl Constant {
    pub fn of(&self, data_model: DataModel) -> i64 {
        match data_model {
            DataModel::Ilp32 => self.ilp32,
            DataModel::Lp64 => self.lp64,
        }
    }
}

/// Where glibc's pthread_mutex_t has its kind: after lock, count and owner; on 64 bits also after nusers.
pub const MUTEX_KIND: Constant = Constant { name: "MUTEX_KIND", ilp32: 12, lp64: 16 };

const CONSTANTS: &[Constant] = &[
    MUTEX_KIND,
    Constant { name: "POINTER", ilp32: 4, lp64: 8 },
    // Bits of a `long` without its sign.
    Constant { name: "LONG_DIGITS", ilp32: 31, lp64: 63 },
    Constant { name: "LONG_MIN", ilp32: i32::MIN as i64, lp64: i64::MIN },
    Constant { name: "LONG_MAX", ilp32: i32::MAX as i64, lp64: i64::MAX },
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
pub fn files() -> Vec<(&'static str, String, Option<&'static str>)> {
    let prose = |text: &'static str| {
        let lines = text.lines().take_while(|line| line.starts_with(";;"));
        lines.map(|line| line.trim_start_matches(';').trim()).collect::<Vec<_>>().join("\n")
    };
    let which = |which: For| match which {
        For::All => None,
        For::MutexKinds => Some("programs in which some mutex may be recursive or error-checking"),
        For::KeyDestructors => Some("programs that make keys with destructors"),
        For::CleanupHandlers => Some("programs that push clean-up handlers"),
        For::CheckedHandles => Some("programs that detach threads and look at the results of joining or detaching"),
        For::Detached => Some("programs that set detach states"),
        For::Realloc => Some("programs that ask for the size of a block or change it"),
        For::ManyKeys => Some("programs that may make more than 64 keys"),
        For::ManyKeysDestructors => Some("programs that may make more than 64 keys, with destructors"),
        For::DeletedKeys => Some("programs that delete keys"),
        For::ExitHandlers => Some("programs that use atexit or on_exit or have destructors"),
        For::ExitStatus => Some("programs that use on_exit"),
        For::ExitMany => Some("programs that may register more than 64 functions for their end"),
        For::QuickExit => Some("programs that use at_quick_exit"),
        For::LastThread => Some("programs that use atexit or on_exit or have destructors, and pthread_exit"),
        For::SignalSets => Some("programs that use sigismember"),
        For::ProcessAndThreadIds => Some("programs that use both getpid and gettid"),
        For::OwnHandle => Some("programs that use pthread_self or thrd_current"),
        For::ManyFiles => Some("programs that may open more than one file with fopen"),
        For::ErrorNumbers => Some("programs that look at errno"),
        For::SomeDescriptors => Some("programs that make more than one descriptor and at most 8"),
        For::KeysAgain => Some("programs that delete keys and may make more than one"),
        For::EnvironmentTexts => Some("programs that do more with the result of getenv than compare it with null"),
    };
    FILES.iter().map(|(file, text, for_)| (*file, prose(text), which(*for_))).collect()
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
    pub fn new(flavours: Flavours) -> Self {
        let wanted = FILES.iter().filter(|(_, _, which)| match which {
            For::All => true,
            For::MutexKinds => flavours.mutex_kinds,
            For::KeyDestructors => flavours.key_destructors,
            For::CleanupHandlers => flavours.cleanup_handlers,
            For::CheckedHandles => flavours.checked_handles,
            For::Detached => flavours.detached,
            For::Realloc => flavours.realloc,
            For::ManyKeys => flavours.many_keys,
            For::ManyKeysDestructors => flavours.many_keys && flavours.key_destructors,
            For::DeletedKeys => flavours.deleted_keys,
            For::ExitHandlers => flavours.exit_handlers,
            For::ExitStatus => flavours.exit_handlers && flavours.exit_status,
            For::ExitMany => flavours.exit_many,
            For::QuickExit => flavours.quick_exit,
            For::LastThread => flavours.exit_handlers && flavours.last_thread,
            For::SignalSets => flavours.signal_sets,
            For::ProcessAndThreadIds => flavours.process_and_thread_ids,
            For::OwnHandle => flavours.own_handle,
            For::ManyFiles => flavours.many_files,
            For::ErrorNumbers => flavours.error_numbers,
            For::SomeDescriptors => flavours.some_descriptors,
            For::KeysAgain => flavours.deleted_keys && flavours.keys_again,
            For::EnvironmentTexts => flavours.environment_texts,
        });
        // A later piece replaces an earlier one of the same name, so what holds for all programs comes first.
        let mut wanted: Vec<_> = wanted.collect();
        wanted.sort_by_key(|(_, _, which)| *which != For::All);
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

    /// A program of the named functions and all they need.
    pub fn program(&self, names: &[&str], data_model: DataModel) -> Result<Program, Diagnostic> {
        let mut seen = FxHashSet::default();
        let mut todo: Vec<(&Entry, Option<u32>)> = names.iter().filter_map(|name| self.find(name)).collect();
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
    let mut comment: Option<usize> = None;
    let mut start: Option<(usize, usize, &'static str)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if let Some((from, commented, name)) = start {
            if line.starts_with('}') {
                pieces.push(Entry {
                    file,
                    name,
                    comment: &text[commented..from],
                    text: &text[from..end],
                    function: true,
                });
                start = None;
                comment = None;
            }
        } else if line.starts_with(';') && !line.starts_with(";;") {
            comment.get_or_insert(at);
        } else if let Some(rest) = line.strip_prefix("func ") {
            start = Some((at, comment.unwrap_or(at), first_word(rest)));
        } else if let Some(object) = line.strip_prefix("global @").or(line.strip_prefix("thread_local @")) {
            let commented = comment.unwrap_or(at);
            let name = first_word(object);
            pieces.push(Entry { file, name, comment: &text[commented..at], text: line, function: false });
            comment = None;
        } else {
            comment = None;
        }
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
        _ => CONSTANTS.iter().find(|constant| constant.name == name).map(|constant| constant.of(data_model)),
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
