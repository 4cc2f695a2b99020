//! Threads and variables in the user's words.

use super::memory::{Kind, Piece, Stored};
use base::{Id, IdVec};
use ir::InstKind;
use passes::{ThreadId, Unfolded};

/// Names of the threads: the function's, numbered where several run the same.
pub fn threads(unfolded: &Unfolded) -> IdVec<ThreadId, String> {
    let same = |original| unfolded.threads.values().filter(|thread| thread.original == original).count();
    unfolded
        .threads
        .iter()
        .map(|(id, thread)| {
            let name = &unfolded.program.functions[thread.original].name;
            let before =
                unfolded.threads.values().take(id.index()).filter(|other| other.original == thread.original).count();
            if same(thread.original) == 1 { name.clone() } else { format!("{name}#{}", before + 1) }
        })
        .collect()
}

/// The name of a piece of memory: `v[2]`, `q.tail`, `main:x`.
pub fn piece(unfolded: &Unfolded, threads: &IdVec<ThreadId, String>, place: &Stored, piece: Piece) -> String {
    let program = &unfolded.program;
    let name = match place.kind {
        Kind::Static(id) => program.objects[id].name.clone(),
        Kind::ThreadLocal(id, thread) => format!("{}:{}", threads[thread], program.objects[id].name),
        Kind::Function(func) => program.functions[func].name.clone(),
        Kind::Allocated(point) => {
            let inst = &program.functions[point.func].blocks[point.block].insts[point.inst as usize];
            let given = if let InstKind::Alloc { name, .. } = &inst.kind { name.as_str() } else { "" };
            let name = if given.is_empty() { format!("object{}", inst.pos.line) } else { given.to_string() };
            let thread = unfolded.thread_of(point.func);
            format!("{}:{name}", thread.map_or("?", |thread| &threads[thread]))
        }
    };
    if piece.offset == 0 && place.size == Some(piece.size) {
        return name;
    }
    facts::names::place(program, place.layout.as_ref(), piece.offset, piece.size, name)
}
