//! The `unbraid` program.

fn main() {
    cli::main()
}
