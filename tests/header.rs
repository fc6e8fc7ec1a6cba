//! The header is what cbindgen makes of the source, and says of each function what a caller must know.

use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn committed() -> String {
    std::fs::read_to_string(root().join("include/toolbroker.h")).unwrap_or_default()
}

/// The functions of a header: the comment above each, and its name.
fn functions(header: &str) -> Vec<(String, String)> {
    let mut comment = String::new();
    let mut found = Vec::new();
    for line in header.lines() {
        if let Some(text) = line.strip_prefix("//") {
            comment.push_str(text);
            comment.push('\n');
            continue;
        }
        // The export macro stands on a line of its own before a function.
        if line == "TB_API" {
            continue;
        }
        let before = line.split('(').next().unwrap();
        let name = before.rsplit([' ', '*']).next().unwrap();
        if name.starts_with("tb_") && line.contains('(') && !line.starts_with([' ', '#']) && !line.starts_with("typedef") {
            found.push((name.to_owned(), comment.clone()));
        }
        comment.clear();
    }
    found
}

#[test]
fn is_what_cbindgen_makes_of_the_source() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let mut bytes = Vec::new();
    // The order of the files is the order of the header.
    let files = ["status", "library", "buffer", "error", "builder", "callback", "broker"];
    let builder = files.iter().fold(cbindgen::Builder::new(), |builder, file| builder.with_src(root().join(format!("src/ffi/{file}.rs"))));
    builder.with_config(config).generate().unwrap().write(&mut bytes);
    let made = String::from_utf8(bytes).unwrap();
    if std::env::var_os("TOOLBROKER_WRITE_HEADER").is_some() {
        std::fs::write(root().join("include/toolbroker.h"), &made).unwrap();
    }
    assert_eq!(committed(), made, "run `make header`");
}

#[test]
fn has_every_export_of_the_source_and_of_the_list() {
    let mut in_source = Vec::new();
    for file in std::fs::read_dir(root().join("src/ffi")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let mut exported = false;
        for line in text.lines() {
            match line {
                "#[unsafe(no_mangle)]" => exported = true,
                line if exported && line.contains("extern \"C\" fn ") => {
                    in_source.push(line.split("fn ").nth(1).unwrap().split('(').next().unwrap().to_owned());
                    exported = false;
                }
                _ => {}
            }
        }
    }
    in_source.retain(|name| name != "tb_test_panic");
    in_source.sort();
    let mut in_header: Vec<String> = functions(&committed()).into_iter().map(|(name, _)| name).collect();
    in_header.sort();
    let list = std::fs::read_to_string(root().join("include/exports.txt")).unwrap();
    let mut listed: Vec<&str> = list.lines().collect();
    listed.sort();
    assert!(in_source.len() > 20, "{in_source:?}");
    assert_eq!(in_source, in_header);
    assert_eq!(in_header, listed, "include/exports.txt is the frozen list: an ABI change is a decision");
}

#[test]
fn says_four_things_of_every_function() {
    for (name, comment) in functions(&committed()) {
        for tag in ["Ownership:", "NULL:", "Threads:", "Errors:"] {
            assert!(comment.contains(tag), "{name} says nothing of {tag}");
        }
    }
}

#[test]
fn names_everything_with_the_prefix() {
    let header = committed();
    for line in header.lines().filter(|line| line.starts_with("#define ")) {
        let name = line["#define ".len()..].split([' ', '(']).next().unwrap();
        assert!(name.starts_with("TB_") || name == "TOOLBROKER_H", "{name}");
    }
    for (name, _) in functions(&header) {
        assert!(name.starts_with("tb_"), "{name}");
    }
}
