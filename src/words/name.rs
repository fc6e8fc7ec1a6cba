//! Words of a tool's name.

use super::{each_search_term, fold, script};

/// The words by which a name is found, and how many parts it has.
#[derive(Debug, PartialEq)]
pub(crate) struct NameTerms {
    pub terms: Vec<String>,
    pub parts: usize,
}

/// Splits a name at white space, marks, digits and camel case: `getHTTPServer_v2` is get, http, server, v and 2. Beside its parts a name is
/// found by what stands between two marks (`s3`, `youtube`) and by two neighbours in it (`github` of `createGitHubIssue`), since that is how
/// people write them. Terms are folded as those of texts and may repeat.
pub(crate) fn name_terms(name: &str) -> NameTerms {
    let mut found = NameTerms { terms: Vec::new(), parts: 0 };
    let name = fold::normalized(name);
    for section in name.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation()).filter(|section| !section.is_empty()) {
        let parts = parts(section);
        found.parts += parts.len();
        for part in &parts {
            each_search_term(part, |term| found.terms.push(term.folded.to_owned()));
        }
        let joined = parts.windows(2).map(|two| two.concat()).chain((parts.len() > 2).then(|| section.to_owned()));
        for text in joined {
            each_search_term(&text, |term| found.terms.push(term.folded.to_owned()));
        }
    }
    found
}

/// The parts of a name without marks: it is parted where the kind of character changes, and before a capital that begins a word.
fn parts(section: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut chars = section.char_indices().peekable();
    let mut before = None;
    while let Some((at, c)) = chars.next() {
        let here = Kind::of(c);
        let next = chars.peek().map(|(_, c)| Kind::of(*c));
        let begins = match (before, here) {
            (None, _) => false,
            (Some(Kind::Upper), Kind::Upper) => next == Some(Kind::Lower),
            (Some(Kind::Upper), Kind::Lower) => false,
            (Some(last), here) => last != here,
        };
        if begins {
            parts.push(&section[start..at]);
            start = at;
        }
        before = Some(here);
    }
    parts.push(&section[start..]);
    parts
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Upper,
    Lower,
    Digit,
    Unspaced,
}

impl Kind {
    /// Letters without case and marks count as lower case.
    fn of(c: char) -> Kind {
        match c {
            c if script::is_unspaced(c) => Kind::Unspaced,
            c if c.is_numeric() => Kind::Digit,
            c if c.is_uppercase() => Kind::Upper,
            _ => Kind::Lower,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(name: &str) -> Vec<String> {
        name_terms(name).terms
    }

    #[test]
    fn names_are_split_at_marks_digits_and_camel_case() {
        assert_eq!(terms("graph_trace"), ["graph", "trace"]);
        assert_eq!(terms("mail.list-unread/all:x y"), ["mail", "list", "unread", "all", "x", "y"]);
        assert_eq!(parts("getHTTPServer2xÉtat"), ["get", "HTTP", "Server", "2", "x", "État"]);
        assert_eq!(parts("HTTPServer"), ["HTTP", "Server"]);
        assert_eq!(parts("条例Find"), ["条例", "Find"]);
    }

    #[test]
    fn parts_are_counted() {
        for (name, parts) in
            [("graph_trace", 2), ("search", 1), ("getUser", 2), ("a.b.c", 3), ("__", 0), ("", 0), ("_x_", 1), ("条例検索", 1)]
        {
            assert_eq!(name_terms(name).parts, parts, "{name}");
        }
    }

    #[test]
    fn a_name_is_also_found_by_what_its_camel_case_and_digits_make_together() {
        assert_eq!(terms("s3"), ["s", "3", "s3"]);
        assert!(terms("createGitHubIssues").contains(&"github".to_owned()));
        assert!(terms("YouTube_search").contains(&"youtube".to_owned()));
        assert!(terms("getURLs").contains(&"url".to_owned()));
    }

    #[test]
    fn names_are_folded_like_texts() {
        assert_eq!(terms("LIST_Queries"), ["list", "query"]);
        assert_eq!(terms("条例検索"), ["条例", "例検", "検索"]);
    }
}
