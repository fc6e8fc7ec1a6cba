//! What a path, an address or a file's ending calls for.

use super::hash::{hash, join};

/// The name of a type is found in `tables/token_types.txt`, between angle brackets. Endings of files are types of their own.
const PATH: &str = "<path>";
const URL: &str = "<url>";
const EMAIL: &str = "<email>";

/// Sites of which the table says more than that they are sites.
const SITES: &[(&str, &str)] =
    &[("youtube.com", "<youtube>"), ("youtu.be", "<youtube>"), ("github.com", "<github>"), ("arxiv.org", "<arxiv>")];

/// Endings of files.
const ENDINGS: &[&str] = &[
    "<.csv>", "<.db>", "<.doc>", "<.docx>", "<.gif>", "<.go>", "<.html>", "<.ipynb>", "<.jpeg>", "<.jpg>", "<.js>", "<.json>", "<.log>",
    "<.md>", "<.mov>", "<.mp3>", "<.mp4>", "<.pdf>", "<.png>", "<.ppt>", "<.pptx>", "<.py>", "<.rs>", "<.sql>", "<.svg>", "<.ts>",
    "<.txt>", "<.wav>", "<.xls>", "<.xlsx>", "<.xml>", "<.yaml>", "<.yml>", "<.zip>",
];

/// The longest piece of a message that is looked at.
const LONGEST: usize = 2_048;

/// The number by which a type is looked up.
pub(super) fn number(name: &str) -> u64 {
    join(hash("token type"), hash(name))
}

/// The types of a piece of a message without white space; none for a plain word.
pub(super) fn types_of(piece: &str) -> Vec<&'static str> {
    let is_around = |c: char| !c.is_alphanumeric() && !matches!(c, '/' | '~' | '\\' | '.' | '_' | '#' | '@');
    let piece = piece.trim_matches(is_around).trim_end_matches('.');
    // A type has a dot, a slash or an at; most words have none.
    if piece.len() > LONGEST || !piece.contains(['.', '/', '\\', '@']) {
        return Vec::new();
    }
    let piece = piece.to_lowercase();
    if ["http://", "https://", "www."].iter().any(|start| piece.starts_with(start)) {
        let site = SITES.iter().find(|(site, _)| piece.contains(site)).map(|(_, name)| *name);
        return [URL].into_iter().chain(site).collect();
    }
    if let Some((user, host)) = piece.split_once('@') {
        let is_address = !user.is_empty() && host.len() > 3 && host[1..].contains('.') && !host.contains(['/', '@']);
        return if is_address { vec![EMAIL] } else { Vec::new() };
    }
    let ending = piece.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
    let ending = ending.and_then(|ending| ENDINGS.iter().find(|name| name[2..name.len() - 1] == *ending));
    let rooted = piece.strip_prefix('/').is_some_and(|rest| rest.len() > 2 && rest.contains('/'));
    let is_path = rooted || ["~/", "./", "../"].iter().any(|start| piece.starts_with(start)) || piece.contains(":\\");
    match ending {
        Some(ending) => vec![PATH, ending],
        None if is_path => vec![PATH],
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_seen() {
        let none: [&str; 0] = [];
        assert_eq!(types_of("/root/markdown/report.md."), ["<path>", "<.md>"]);
        assert_eq!(types_of("(C:\\Users\\me)"), ["<path>"]);
        assert_eq!(types_of("~/notes"), ["<path>"]);
        assert_eq!(types_of("sales.XLSX,"), ["<path>", "<.xlsx>"]);
        assert_eq!(types_of("https://www.youtube.com/watch?v=1"), ["<url>", "<youtube>"]);
        assert_eq!(types_of("www.example.org"), ["<url>"]);
        assert_eq!(types_of("<me@example.org>"), ["<email>"]);
        for plain in [
            "word",
            "3.14",
            "and/or",
            "mail.send",
            "e.g.",
            "@me",
            "a@b",
            "/start",
            "...",
            "",
            "/",
            "files/read",
            "x.y.z",
            "@.",
            "é.",
            ".md",
        ] {
            assert_eq!(types_of(plain), none, "{plain}");
        }
    }

    #[test]
    fn endings_are_sorted_and_each_stands_in_the_table() {
        assert!(ENDINGS.is_sorted());
        let table = include_str!("tables/token_types.txt");
        for name in ENDINGS.iter().chain([&PATH, &URL, &EMAIL]).chain(SITES.iter().map(|(_, name)| name)) {
            assert!(table.split_whitespace().any(|word| word == *name), "{name}");
        }
    }
}
