//! What holds of the source where it meets C.

use std::path::{Path, PathBuf};

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

fn source() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    files.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Code without line comments: words in comments do nothing.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split("//").next().unwrap())
}

fn is_boundary(path: &Path) -> bool {
    path.parent().unwrap().ends_with("src/ffi")
}

#[test]
fn unsafe_code_stands_in_the_c_abi_alone() {
    let mut in_boundary = 0;
    for (path, text) in source() {
        let has_unsafe = code(&text).any(|line| line.replace("unsafe_code", "").contains("unsafe"));
        if is_boundary(&path) {
            in_boundary += usize::from(has_unsafe);
        } else {
            assert!(!has_unsafe, "{}", path.display());
            let allows = code(&text).filter(|line| line.contains("allow(unsafe_code)")).count();
            assert_eq!(allows, usize::from(path.ends_with("src/lib.rs")), "{}", path.display());
        }
    }
    assert!(in_boundary >= 5, "only {in_boundary} files with unsafe code were seen");
}

#[test]
fn function_pointers_of_c_are_extern_c() {
    let mut seen = 0;
    for (path, text) in source().into_iter().filter(|(path, _)| is_boundary(path)) {
        for line in code(&text) {
            // `fn(` is a pointer type; a function has its name between.
            for (at, _) in line.match_indices("fn(") {
                seen += 1;
                assert!(line[..at].ends_with("extern \"C\" "), "{}: {line}", path.display());
            }
        }
    }
    assert!(seen >= 5, "only {seen} function pointers were seen");
}

#[test]
fn every_export_is_guarded() {
    for (path, text) in source().into_iter().filter(|(path, _)| is_boundary(path)) {
        for export in text.split("#[unsafe(no_mangle)]").skip(1) {
            let body = export.split("\n}\n").next().unwrap();
            let name = body.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap();
            // A number cannot panic.
            let guarded = ["guard(", "guard_or(", "{ call("].iter().any(|way| body.contains(way)) || name == "tb_abi_version";
            assert!(guarded, "{}: {name} lets a panic through", path.display());
        }
    }
}
