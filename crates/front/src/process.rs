//! Runs a program to its end or to a deadline, with all its pipes served at once so that none can block.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What a program that ended left behind.
pub struct Output {
    pub success: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Why there is no output.
pub enum Failure {
    NotFound,
    TimedOut,
    Io(io::Error),
}

/// Runs the command with `input` on its standard input; kills it when the deadline passes.
pub fn run(mut command: Command, input: Option<Vec<u8>>, deadline: Option<Instant>) -> Result<Output, Failure> {
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::NotFound,
        _ => Failure::Io(error),
    })?;
    let result = serve(&mut child, input, deadline);
    if result.is_err() {
        // Killing a program that has ended already is no failure.
        let _ = child.kill();
        let _ = child.wait();
    }
    result
}

fn serve(child: &mut Child, input: Option<Vec<u8>>, deadline: Option<Instant>) -> Result<Output, Failure> {
    if let (Some(text), Some(mut pipe)) = (input, child.stdin.take()) {
        // A program may end without reading all its input; that is its right.
        std::thread::spawn(move || pipe.write_all(&text));
    }
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    let stdout = wait_for(stdout, deadline)?;
    let stderr = wait_for(stderr, deadline)?;
    // Both pipes are closed, so the end is near; but a hostile program could close them and go on.
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::Io)? {
            return Ok(Output { success: status.success(), stdout, stderr });
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Failure::TimedOut);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

type Bytes = io::Result<Vec<u8>>;

fn collect(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<Bytes> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let result = pipe.read_to_end(&mut bytes).map(|_| bytes);
        // Nobody listens after a time-out.
        let _ = sender.send(result);
    });
    receiver
}

fn wait_for(pipe: Option<mpsc::Receiver<Bytes>>, deadline: Option<Instant>) -> Result<Vec<u8>, Failure> {
    let Some(pipe) = pipe else { return Ok(Vec::new()) };
    let left = deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()));
    match pipe.recv_timeout(left) {
        Ok(bytes) => bytes.map_err(Failure::Io),
        Err(RecvTimeoutError::Timeout) => Err(Failure::TimedOut),
        Err(RecvTimeoutError::Disconnected) => Err(Failure::Io(io::ErrorKind::BrokenPipe.into())),
    }
}
