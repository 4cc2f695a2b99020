//! Whatever the input, there is an answer: a message, an exit status, and no panic.

mod support;

use support::Folder;

const NO_ANSWER: &str = "UNKNOWN(input error)";

#[test]
fn syntax_error() {
    let folder = Folder::new();
    folder.write("bad.c", "int main(void) {\n  int x = ;\n}\n");
    folder.run("check bad.c").expect(2, NO_ANSWER).complains("bad.c:2:11: error: expected expression");
    folder.run("ir bad.c").expect(2, "").complains("bad.c:2:11: error:");
}

#[test]
fn type_error() {
    let folder = Folder::new();
    folder.write("bad.c", "int main(void) { return undeclared_thing; }\n");
    folder.run("check bad.c").expect(2, NO_ANSWER).complains("bad.c:1:25: error: use of undeclared identifier");
}

#[test]
fn missing_files() {
    let folder = Folder::new();
    for name in ["gone.c", "gone.i", "gone.ll", "gone.ir"] {
        let ran = folder.run(&format!("check {name}"));
        ran.expect(2, NO_ANSWER).complains(&format!("{name}: error: cannot be read"));
    }
    folder.write("here.c", "int main(void) { return 0; }\n");
    folder.run("check here.c gone.c").expect(2, NO_ANSWER).complains("gone.c: error: cannot be read");
}

#[test]
fn unknown_kind_of_file() {
    let folder = Folder::new();
    folder.write("program.py", "print()\n");
    folder.write("program", "int main(void) {}\n");
    folder.run("check program.py").expect(2, NO_ANSWER).complains("program.py: error:");
    folder.run("check program").expect(2, NO_ANSWER).complains("program: error:");
}

#[test]
fn folders_are_no_programs() {
    let folder = Folder::new();
    for name in ["folder.c", "folder.i", "folder.ll", "folder.ir"] {
        std::fs::create_dir(folder.path.join(name)).unwrap();
        folder.run(&format!("check {name}")).expect(2, NO_ANSWER).complains(&format!("{name}: error:"));
    }
}

#[test]
fn unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    for name in ["secret.c", "secret.ll", "secret.ir"] {
        let path = folder.write(name, "int main(void) {}\n");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o0)).unwrap();
        // The superuser reads everything.
        if std::fs::read(&path).is_err() {
            folder.run(&format!("check {name}")).expect(2, NO_ANSWER).complains("Permission denied");
        }
    }
}

#[test]
fn missing_include() {
    let folder = Folder::new();
    folder.write("bad.c", "\n#include \"nowhere.h\"\nint main(void) {}\n");
    folder.run("check bad.c").expect(2, NO_ANSWER).complains("bad.c:2:10: error: 'nowhere.h' file not found");
    folder.run("check --32 bad.c").expect(2, NO_ANSWER).complains("bad.c:2:10: error: 'nowhere.h' file not found");
}

#[test]
fn no_main() {
    let folder = Folder::new();
    folder.write("library.c", "int f(void) { return 1; }\n");
    folder.run("check library.c").expect(2, NO_ANSWER).complains("main");
    folder.write("empty.c", "");
    folder.run("check empty.c").expect(2, NO_ANSWER).complains("main");
    folder.write("empty.ir", "");
    folder.run("check empty.ir").expect(2, NO_ANSWER).complains("main");
}

#[test]
fn two_mains() {
    let folder = Folder::new();
    folder.write("a.c", "int main(void) { return 0; }\n");
    folder.write("b.c", "int main(void) { return 1; }\n");
    folder.run("check a.c b.c").expect(2, NO_ANSWER).complains("main");
}

#[test]
fn clang_is_not_installed() {
    let folder = Folder::new();
    folder.write("fine.c", "int main(void) { return 0; }\n");
    let output = folder.command("check fine.c").env("PATH", "").env_remove("UNBRAID_CLANG").output().unwrap();
    support::Ran::from(output).expect(2, NO_ANSWER).complains("clang is not installed");
    let output = folder.command("check fine.c").env("UNBRAID_CLANG", "no/such/clang").output().unwrap();
    support::Ran::from(output).expect(2, NO_ANSWER).complains("no/such/clang");
}

#[test]
fn binary_garbage() {
    let folder = Folder::new();
    let mut seed = 7u32;
    let garbage: Vec<u8> = (0..20_000)
        .map(|_| {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 24) as u8
        })
        .collect();
    for name in ["garbage.c", "garbage.i", "garbage.ll", "garbage.ir"] {
        folder.write(name, &garbage);
        folder.run(&format!("check {name}")).expect(2, NO_ANSWER).complains(&format!("{name}:"));
        folder.write(name, vec![0u8; 1000]);
        folder.run(&format!("check {name}")).expect(2, NO_ANSWER);
    }
}

#[test]
fn ten_megabytes() {
    let folder = Folder::new();
    let line = "/* nothing to see here, but there is a lot of it, line after line after line */\n";
    folder.write("long.c", format!("{}int main(void) {{ return 0; }}\n", line.repeat(125_000)));
    folder.run("check long.c").expect(0, "SAFE");
    folder.write("long.ir", "; a comment, and another one, and so on until the end\n".repeat(200_000));
    folder.run("check long.ir").expect(2, NO_ANSWER);
    folder.write("words.ir", "global ".repeat(1_500_000));
    folder.run("check words.ir").expect(2, NO_ANSWER);
    folder.write("words.ll", "define ".repeat(1_500_000));
    folder.run("check words.ll").expect(2, NO_ANSWER);
    let globals: String = (0..150_000).map(|i| format!("static int variable_with_a_long_name_{i};\n")).collect();
    folder.write("wide.c", format!("{globals}int main(void) {{ return variable_with_a_long_name_7; }}\n"));
    folder.run("check --timeout 60s wide.c").expect(0, "SAFE");
}

#[test]
fn deep_nesting() {
    let folder = Folder::new();
    let deep = 20_000;
    let text = format!("int main(void) {{ return {}0{}; }}\n", "(".repeat(deep), ")".repeat(deep));
    folder.write("parens.c", text);
    folder.run("check parens.c").expect(2, NO_ANSWER).complains("parens.c:1:");
    let blocks = format!("int main(void) {{ int x = 0; {}x++;{} return 0; }}\n", "{".repeat(200), "}".repeat(200));
    folder.write("blocks.c", blocks);
    folder.run("check blocks.c").expect(0, "SAFE");
    let long = format!("int x; int main(void) {{ return x{}; }}\n", " + x".repeat(3_000));
    folder.write("sum.c", long);
    folder.run("check sum.c").expect(0, "SAFE");
    let ir = format!(
        "func main() {{\n  local %x: i32\nb0:\n  %x = {}1{}\n  return\n}}\n",
        "(".repeat(deep),
        ")".repeat(deep)
    );
    folder.write("deep.ir", ir);
    folder.run("check deep.ir").expect(2, NO_ANSWER).complains("deep.ir:4:");
    let types = format!("@g = global {}i32{} zeroinitializer\n", "[1 x ".repeat(deep), "]".repeat(deep));
    folder.write("deep.ll", types);
    folder.run("check deep.ll").expect(2, NO_ANSWER).complains("deep.ll:1:");
    let calls: String = (1..3_000).map(|i| format!("void f{i}(void) {{ f{}(); }}\n", i - 1)).collect();
    folder.write("calls.c", format!("void f0(void) {{}}\n{calls}int main(void) {{ f2999(); return 0; }}\n"));
    folder.run("check calls.c").expect(0, "SAFE");
}

#[test]
fn endless_recursion() {
    let folder = Folder::new();
    folder.write("deep.c", "int f(int n) { return f(n + 1); }\nint main(void) { return f(0); }\n");
    let ran = folder.run("check --timeout 20s deep.c");
    assert_eq!(ran.status, Some(5), "{ran:#?}");
}

#[test]
fn unsupported_constructs() {
    let folder = Folder::new();
    let text = "int main(int argc, char **argv) { if (SWITCH) { __asm__ volatile(\"cpuid\" ::: \"eax\", \"ebx\"); } return 0; }\n";
    folder.write("assembly.c", text);
    folder.run("check -DSWITCH=0 assembly.c").expect(0, "SAFE");
    let ran = folder.run("check -DSWITCH=1 assembly.c");
    assert_eq!(ran.status, Some(5), "{ran:#?}");
    assert!(ran.last_line().starts_with("UNKNOWN(not supported: "), "{ran:#?}");
    assert!(ran.last_line().contains("assembly.c:1"), "{ran:#?}");
}

#[test]
fn invalid_ir() {
    let folder = Folder::new();
    folder.write("bad.ir", "func main() {\nb0:\n  %x = load i32 @nothing\n  return\n}\n");
    folder.run("check bad.ir").expect(2, NO_ANSWER).complains("bad.ir:3:");
    folder.write("bad.ir", "global @x: i32\nfunc main() {\n  local %a: i64\nb0:\n  %a = load i32 @x\n  return\n}\n");
    folder.run("check bad.ir").expect(2, NO_ANSWER).complains("bad.ir:5:");
    folder.write("fine.ir", "func main() {\nb0:\n  return\n}\n");
    folder.run("check fine.ir").expect(0, "SAFE");
    folder.run("check fine.ir fine.ir").expect(2, NO_ANSWER).complains("cannot be linked");
    folder.run("check --32 fine.ir").expect(2, NO_ANSWER).complains("is a program for LP64");
}
