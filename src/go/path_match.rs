//! Go's `path.Match`, parsed once, and the patterns of tool names that build on it.

/// A pattern as Go's `path.Match` takes it. A malformed one never fits.
#[derive(Debug, Clone)]
pub(crate) struct PathPattern(Option<Vec<Chunk>>);

/// What stands between two stars.
#[derive(Debug, Clone)]
struct Chunk {
    after_star: bool,
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    /// Go compares literals by bytes.
    Byte(u8),
    /// One character but `/`.
    Any,
    /// One character of some ranges, or of none of them; also `/`.
    Class { negated: bool, ranges: Vec<(char, char)> },
}

impl PathPattern {
    pub fn new(pattern: &str) -> Self {
        let mut chunks = Vec::new();
        let mut rest = pattern;
        while !rest.is_empty() {
            let text = rest.trim_start_matches('*');
            let after_star = text.len() < rest.len();
            let (chunk, behind) = text.split_at(chunk_end(text));
            let Some(steps) = steps(chunk) else { return PathPattern(None) };
            chunks.push(Chunk { after_star, steps });
            rest = behind;
        }
        PathPattern(Some(chunks))
    }

    /// Whether the whole name fits. As in Go each chunk takes the first place where it fits and no other is tried.
    pub fn fits(&self, name: &str) -> bool {
        let Some(chunks) = &self.0 else { return false };
        let name = name.as_bytes();
        let mut at = 0;
        for (index, chunk) in chunks.iter().enumerate() {
            let is_last = index + 1 == chunks.len();
            if is_last && chunk.after_star && chunk.steps.is_empty() {
                return !name[at..].contains(&b'/');
            }
            match chunk.find(name, at, is_last) {
                Some(end) => at = end,
                None => return false,
            }
        }
        at == name.len()
    }
}

impl Chunk {
    /// Where the chunk ends that is found from `start` on; the last one must end with the name.
    fn find(&self, name: &[u8], start: usize, is_last: bool) -> Option<usize> {
        let mut from = start;
        loop {
            let end = self.end_at(name, from).filter(|end| !is_last || *end == name.len());
            // A star crosses any byte but a slash.
            if end.is_some() || !self.after_star || from >= name.len() || name[from] == b'/' {
                return end;
            }
            from += 1;
        }
    }

    fn end_at(&self, name: &[u8], start: usize) -> Option<usize> {
        let mut at = start;
        for step in &self.steps {
            let first = *name.get(at)?;
            at += match step {
                Step::Byte(byte) => (first == *byte).then_some(1)?,
                Step::Any => (first != b'/').then(|| character(name, at).1)?,
                Step::Class { negated, ranges } => {
                    let (c, length) = character(name, at);
                    let is_in = ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
                    (is_in != *negated).then_some(length)?
                }
            };
        }
        Some(at)
    }
}

/// The character at a byte and its length; within a character, where a star may end, Go sees U+FFFD of length 1.
fn character(name: &[u8], at: usize) -> (char, usize) {
    let length = match name[at] {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0.. => 4,
        _ => 0,
    };
    let text = name.get(at..at + length).and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.and_then(|text| text.chars().next()).map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, length))
}

/// Where a chunk ends: before a star that is neither escaped nor between brackets.
fn chunk_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut in_class = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => in_class = true,
            b']' => in_class = false,
            b'*' if !in_class => return at,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The steps of a chunk; `None` where it is malformed.
fn steps(chunk: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = chunk;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '?' => steps.push(Step::Any),
            '[' => {
                let (class, behind) = class(rest)?;
                steps.push(class);
                rest = behind;
            }
            '\\' => {
                let escaped = rest.chars().next()?;
                rest = &rest[escaped.len_utf8()..];
                literal(escaped, &mut steps);
            }
            c => literal(c, &mut steps),
        }
    }
    Some(steps)
}

fn literal(c: char, steps: &mut Vec<Step>) {
    steps.extend(c.encode_utf8(&mut [0; 4]).bytes().map(Step::Byte));
}

fn class(text: &str) -> Option<(Step, &str)> {
    let (negated, mut rest) = text.strip_prefix('^').map_or((false, text), |rest| (true, rest));
    let mut ranges = Vec::new();
    loop {
        if let Some(behind) = rest.strip_prefix(']').filter(|_| !ranges.is_empty()) {
            return Some((Step::Class { negated, ranges }, behind));
        }
        let (low, behind) = class_character(rest)?;
        let (high, behind) = match behind.strip_prefix('-') {
            Some(behind) => class_character(behind)?,
            None => (low, behind),
        };
        ranges.push((low, high));
        rest = behind;
    }
}

/// One character of a class; something must stand behind it.
fn class_character(text: &str) -> Option<(char, &str)> {
    let text = match text.chars().next()? {
        '-' | ']' => return None,
        '\\' => &text[1..],
        _ => text,
    };
    let c = text.chars().next()?;
    let rest = &text[c.len_utf8()..];
    (!rest.is_empty()).then_some((c, rest))
}

/// A pattern of tool names: [`PathPattern`], or for one that ends in `*` a literal prefix.
#[derive(Debug, Clone)]
pub(crate) struct NamePattern {
    path: PathPattern,
    prefix: Option<String>,
}

impl NamePattern {
    pub fn new(pattern: &str) -> Self {
        NamePattern { path: PathPattern::new(pattern), prefix: pattern.strip_suffix('*').map(str::to_owned) }
    }

    pub fn fits(&self, name: &str) -> bool {
        self.prefix.as_ref().is_some_and(|prefix| name.starts_with(prefix)) || self.path.fits(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases and outcomes as Go's own documentation and tests of `path.Match` have them.
    #[test]
    fn patterns_fit_as_in_go() {
        let fitting = [
            ("abc", "abc"),
            ("*", "abc"),
            ("*c", "abc"),
            ("a*", "a"),
            ("a*/b", "abc/b"),
            ("a*b*c*d*e*/f", "axbxcxdxe/f"),
            ("a*b?c*x", "abxbbxdbxebxczzx"),
            ("ab[c]", "abc"),
            ("ab[b-d]", "abc"),
            ("ab[^e-g]", "abc"),
            ("a\\*b", "a*b"),
            ("a?b", "a☺b"),
            ("a[^a]b", "a☺b"),
            ("[a-ζ]*", "α"),
            ("[\\]a]", "]"),
            ("[\\-x]", "-"),
            ("[x\\-]", "x"),
            ("*x", "xxx"),
            ("[/]", "/"),
            ("", ""),
        ];
        for (pattern, name) in fitting {
            assert!(PathPattern::new(pattern).fits(name), "{pattern} {name}");
        }
        let others = [
            ("a*", "ab/c"),
            ("a*/b", "a/c/b"),
            ("a*b?c*x", "abxbbxdbxebxczzy"),
            ("ab[e-g]", "abc"),
            ("ab[^b-d]", "abc"),
            ("a???b", "a☺b"),
            ("*[a-ζ]", "A"),
            ("a?b", "a/b"),
            ("a*b", "a/b"),
            ("", "a"),
            ("ab", "abc"),
            ("{a,b}", "a"),
            ("[!a]", "b"),
        ];
        for (pattern, name) in others {
            assert!(!PathPattern::new(pattern).fits(name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_malformed_pattern_never_fits() {
        for pattern in ["[]a]", "[-]", "[x-]", "[-x]", "\\", "[a-b-c]", "[", "[^", "[^bc", "a[", "a*[", "x*[a-"] {
            for name in ["", "a", "]", "-", "x", "\\", "ab", "[", "[^bc"] {
                assert!(!PathPattern::new(pattern).fits(name), "{pattern} {name}");
            }
        }
    }

    #[test]
    fn a_star_may_end_within_a_character() {
        assert!(PathPattern::new("*[\u{fffd}]").fits("é"));
        assert!(PathPattern::new("*?").fits("é"));
    }

    #[test]
    fn a_name_pattern_with_a_star_at_its_end_is_a_prefix_too() {
        assert!(NamePattern::new("a*").fits("a/b"));
        assert!(NamePattern::new("[a*").fits("[ab"));
        assert!(!NamePattern::new("[a*").fits("ab"));
        assert!(!NamePattern::new("a*b").fits("a/b"));
    }

    #[test]
    fn many_stars_take_no_exponential_time() {
        let pattern = PathPattern::new(&"a*".repeat(500));
        assert!(!pattern.fits(&("a".repeat(1000) + "/")));
    }
}
