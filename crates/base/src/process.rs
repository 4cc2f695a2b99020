//! Runs a program to its end or to a deadline, with all its pipes served at once so that none can block; and what a panic says.

use std::any::Any;
use std::io::{self, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Runs the command with `input` on its standard input; kills it when the deadline passes, which is an error of the kind
/// `TimedOut`.
pub fn run(mut command: Command, input: Option<Vec<u8>>, deadline: Option<Instant>) -> io::Result<Output> {
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let result = serve(&mut child, input, deadline);
    if result.is_err() {
        // Killing a program that has ended already is no failure.
        let _ = child.kill();
        let _ = child.wait();
    }
    result
}

fn serve(child: &mut Child, input: Option<Vec<u8>>, deadline: Option<Instant>) -> io::Result<Output> {
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
        if let Some(status) = child.try_wait()? {
            return Ok(Output { status, stdout, stderr });
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(io::ErrorKind::TimedOut.into());
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

fn wait_for(pipe: Option<mpsc::Receiver<Bytes>>, deadline: Option<Instant>) -> Bytes {
    let Some(pipe) = pipe else { return Ok(Vec::new()) };
    let left = deadline.map_or(Duration::MAX, |deadline| deadline.saturating_duration_since(Instant::now()));
    pipe.recv_timeout(left).unwrap_or_else(|error| match error {
        RecvTimeoutError::Timeout => Err(io::ErrorKind::TimedOut.into()),
        RecvTimeoutError::Disconnected => Err(io::ErrorKind::BrokenPipe.into()),
    })
}

/// What a panic says, where it says anything.
pub fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    payload.downcast_ref::<&str>().copied().or(owned).unwrap_or("no message")
}
