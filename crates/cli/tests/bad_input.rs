//! Whatever the input, there is an answer: inputs that are too large to be written down; others are in `tests/cli`.

mod support;

use support::Folder;

const NO_ANSWER: &str = "UNKNOWN(input error)";

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
    let noise: Vec<u8> = (0..5000u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    for name in ["garbage.c", "garbage.i", "garbage.ll", "garbage.ir"] {
        for garbage in [&garbage, &noise] {
            folder.write(name, garbage);
            folder.run(&format!("check {name}")).expect(2, NO_ANSWER).complains(&format!("{name}:"));
        }
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
