//! What the system says about memory.

use std::fs;

/// The most memory this process has had resident so far.
pub fn peak() -> u64 {
    field("/proc/self/status", "VmHWM:").unwrap_or(0)
}

/// How much memory there is: the machine's, or less where a container says so.
pub fn total() -> Option<u64> {
    let machine = field("/proc/meminfo", "MemTotal:");
    let container = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .iter()
        .find_map(|path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok());
    match (machine, container) {
        (Some(machine), Some(container)) => Some(machine.min(container)),
        (machine, container) => machine.or(container),
    }
}

/// A line `Name:   123 kB` of a file of the system's, in bytes.
fn field(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
}
