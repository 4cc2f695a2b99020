//! Where the program finds Z3's library when it runs: beside itself, in the project it was built in, also when that was moved, or where it was when it was built.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let mut folders = vec!["$ORIGIN".to_string(), "$ORIGIN/../../.z3/lib".to_string()];
    folders.extend(std::env::var("Z3_LIBRARY_PATH_OVERRIDE"));
    for folder in folders {
        println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{folder}");
    }
}
