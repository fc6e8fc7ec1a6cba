//! What goes wrong, where, and what to do about it.

use serde::Serialize;

/// The kinds of error. The text form is stable and is what JSON carries; the number is what C gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Code {
    /// A fault of the library, caught at the C boundary.
    Panic,
    /// A required pointer is NULL, or NULL came with a length.
    NullArgument,
    /// Text that is not UTF-8.
    InvalidUtf8,
    /// Text that is not JSON.
    InvalidJson,
    /// Text that is not YAML.
    InvalidYaml,
    /// A request with an unknown key, a wrong type or a value out of range.
    InvalidRequest,
    /// The same, in a broker's options.
    InvalidOptions,
    /// A rule text with faults.
    InvalidRule,
    /// An intent table with faults.
    InvalidIntents,
    /// Text that is not hints.
    InvalidHints,
    /// A tool that was refused, or tools that are no list.
    InvalidTool,
    /// Over a limit of size or number.
    TooLarge,
    /// Nested deeper than the limit.
    TooDeep,
    /// A file that cannot be read.
    Io,
    /// A callback failed.
    Callback,
    /// A callback asked to stop.
    Stopped,
}

impl Code {
    /// Every code, in the order of their C statuses -1, -2, ….
    pub const ALL: [Code; 16] = [
        Code::Panic,
        Code::NullArgument,
        Code::InvalidUtf8,
        Code::InvalidJson,
        Code::InvalidYaml,
        Code::InvalidRequest,
        Code::InvalidOptions,
        Code::InvalidRule,
        Code::InvalidIntents,
        Code::InvalidHints,
        Code::InvalidTool,
        Code::TooLarge,
        Code::TooDeep,
        Code::Io,
        Code::Callback,
        Code::Stopped,
    ];

    /// The code as JSON and texts carry it, such as `invalid_rule`.
    pub fn name(self) -> &'static str {
        match self {
            Code::Panic => "panic",
            Code::NullArgument => "null_argument",
            Code::InvalidUtf8 => "invalid_utf8",
            Code::InvalidJson => "invalid_json",
            Code::InvalidYaml => "invalid_yaml",
            Code::InvalidRequest => "invalid_request",
            Code::InvalidOptions => "invalid_options",
            Code::InvalidRule => "invalid_rule",
            Code::InvalidIntents => "invalid_intents",
            Code::InvalidHints => "invalid_hints",
            Code::InvalidTool => "invalid_tool",
            Code::TooLarge => "too_large",
            Code::TooDeep => "too_deep",
            Code::Io => "io",
            Code::Callback => "callback",
            Code::Stopped => "stopped",
        }
    }

    /// The status that a C function returns for it: negative and frozen.
    pub fn status(self) -> i32 {
        let position = Code::ALL.iter().position(|code| *code == self).expect("every code is listed");
        -1 - position as i32
    }
}

/// Where a fault is: what is known of file, line, column and path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file, as it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// From 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The value, as `rules[2].match.patterns[0]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// An error: a stable code, one line of text, the place, and a hint. [`Error::to_json`] gives all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}{message}{}", self.prefix(), self.suffix())]
pub struct Error {
    /// The kind.
    pub code: Code,
    /// One line; control characters are written as escapes.
    pub message: String,
    /// Where.
    #[serde(skip_serializing_if = "Place::is_unknown")]
    pub at: Place,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The number a callback answered, where one failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callback_status: Option<i32>,
    /// Every fault, where there are several; the first is this error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Error>,
}

/// The result of everything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error without a place.
    pub fn new(code: Code, message: impl AsRef<str>) -> Self {
        Error { code, message: one_line(message.as_ref()), at: Place::default(), hint: None, callback_status: None, faults: Vec::new() }
    }

    /// The same error with a hint.
    pub fn with_hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hint = Some(one_line(hint.as_ref()));
        self
    }

    /// The same error with a hint at what a word was probably meant to be: the nearest of the known ones, or all of them.
    pub fn with_suggestion(self, word: &str, known: &[&str]) -> Self {
        self.with_hint(crate::document::suggest(word, known))
    }

    /// The same error with the path of the value.
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        let path = path.into();
        self.at.path = (!path.is_empty()).then_some(path);
        self
    }

    /// The same error with a line and a column, both from 1.
    pub fn with_position(mut self, line: usize, column: usize) -> Self {
        self.at.line = Some(line);
        self.at.column = Some(column);
        self
    }

    /// The same error, and all its faults, without line and column: for a text that the reader of the error does not see.
    pub fn without_position(mut self) -> Self {
        (self.at.line, self.at.column) = (None, None);
        self.faults = self.faults.into_iter().map(Error::without_position).collect();
        self
    }

    /// The same error, and all its faults, with the file's name.
    pub fn in_file(mut self, file: Option<&str>) -> Self {
        self.at.file = file.map(str::to_owned);
        self.faults = self.faults.into_iter().map(|fault| fault.in_file(file)).collect();
        self
    }

    /// One error that stands for several: the first, with all of them under `faults`. `None` for no fault.
    pub fn from_faults(mut faults: Vec<Error>) -> Option<Self> {
        if faults.len() < 2 {
            return faults.pop();
        }
        Some(Error { faults: faults.clone(), ..faults.swap_remove(0) })
    }

    /// The error as the JSON object that `docs/contract.md` describes.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an error is plain data")
    }

    fn prefix(&self) -> String {
        let mut text = String::new();
        if let Some(file) = &self.at.file {
            text.push_str(&one_line(file));
            text.push(':');
        }
        if let (Some(line), Some(column)) = (self.at.line, self.at.column) {
            text.push_str(&format!("{line}:{column}:"));
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text
    }

    fn suffix(&self) -> String {
        let mut text = String::new();
        if let Some(path) = &self.at.path {
            text.push_str(&format!(" (at {})", one_line(path)));
        }
        if let Some(hint) = &self.hint {
            text.push_str("; ");
            text.push_str(hint);
        }
        if self.faults.len() > 1 {
            text.push_str(&format!("; and {} more", self.faults.len() - 1));
        }
        text
    }
}

impl Place {
    fn is_unknown(&self) -> bool {
        *self == Place::default()
    }
}

/// Texts that echo input stay on one line and free of control characters, NUL among them, so that they can go to a terminal and through a C string.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_frozen() {
        assert_eq!(Code::Panic.status(), -1);
        assert_eq!(Code::InvalidRule.status(), -8);
        assert_eq!(Code::Stopped.status(), -16);
    }

    #[test]
    fn a_name_is_the_serialized_code() {
        for code in Code::ALL {
            assert_eq!(serde_json::to_string(&code).unwrap(), format!("{:?}", code.name()));
        }
    }

    #[test]
    fn text_tells_place_and_hint_on_one_line() {
        let error = Error::new(Code::InvalidRule, "unknown action `ex\0\nlude`")
            .with_position(4, 12)
            .with_path("rules[0].action.type")
            .with_hint("did you mean `exclude`?")
            .in_file(Some("rules.yaml"));
        assert_eq!(
            error.to_string(),
            r"rules.yaml:4:12: unknown action `ex\u{0}\nlude` (at rules[0].action.type); did you mean `exclude`?"
        );
    }
}
