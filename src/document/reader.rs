//! Takes typed values out of a [`Node`] and collects every fault on the way.

use super::{Key, Mark, Node, Value};
use crate::error::{Code, Error, Result};

/// Collects faults of one kind while a document is read.
pub(crate) struct Reader {
    code: Code,
    faults: Vec<Error>,
}

/// An object whose keys are known: hands out values by key.
pub(crate) struct Fields<'a> {
    entries: Vec<(&'a Key, &'a Node)>,
    /// The object's own path, such as `rules[2]`.
    pub path: String,
    pub mark: Mark,
}

impl Reader {
    pub fn new(code: Code) -> Self {
        Reader { code, faults: Vec::new() }
    }

    /// The value, or one error that holds every fault that was met.
    pub fn finish<T>(self, value: T) -> Result<T> {
        Error::from_faults(self.faults).map_or(Ok(value), Err)
    }

    /// How many faults were met so far.
    pub fn fault_count(&self) -> usize {
        self.faults.len()
    }

    pub fn fault(&mut self, mark: Mark, path: &str, message: impl AsRef<str>, hint: Option<String>) {
        let mut error = Error::new(self.code, message).with_position(mark.line, mark.column).with_path(path);
        if let Some(hint) = hint {
            error = error.with_hint(hint);
        }
        self.faults.push(error);
    }

    /// A fault of size: its code is `too_large`, whatever the document is.
    pub fn too_large(&mut self, mark: Mark, path: &str, message: impl AsRef<str>) {
        self.add(Error::new(Code::TooLarge, message), mark, path);
    }

    /// A fault that was found elsewhere.
    pub fn add(&mut self, fault: Error, mark: Mark, path: &str) {
        self.faults.push(fault.with_position(mark.line, mark.column).with_path(path));
    }

    /// An object with none but the known keys. Null is an empty one.
    pub fn object<'a>(&mut self, node: &'a Node, path: &str, known: &[&str]) -> Fields<'a> {
        let mut fields = Fields { entries: Vec::new(), path: path.to_owned(), mark: node.mark };
        match &node.value {
            Value::Null => {}
            Value::Object(entries) => {
                for (key, value) in entries {
                    let at = join(path, &key.name);
                    if !known.contains(&key.name.as_str()) {
                        self.fault(key.mark, &at, format!("unknown key `{}`", key.name), Some(suggest(&key.name, known)));
                    } else if fields.get(&key.name).is_some() {
                        self.fault(key.mark, &at, format!("key `{}` is given twice", key.name), None);
                    } else {
                        fields.entries.push((key, value));
                    }
                }
                fields.entries.retain(|(_, value)| value.value != Value::Null);
            }
            other => self.wrong(node.mark, path, "an object", other),
        }
        fields
    }

    /// A map from any key to a value; doubles are a fault.
    pub fn map<'a>(&mut self, node: &'a Node, path: &str) -> Vec<(&'a Key, &'a Node)> {
        let mut entries: Vec<(&Key, &Node)> = Vec::new();
        match &node.value {
            Value::Null => {}
            Value::Object(all) => {
                let mut seen = std::collections::HashSet::new();
                for (key, value) in all {
                    if seen.insert(&key.name) {
                        entries.push((key, value));
                    } else {
                        self.fault(key.mark, &join(path, &key.name), format!("key `{}` is given twice", key.name), None);
                    }
                }
            }
            other => self.wrong(node.mark, path, "an object", other),
        }
        entries
    }

    pub fn list<'a>(&mut self, node: &'a Node, path: &str, most: usize) -> &'a [Node] {
        match &node.value {
            Value::Null => &[],
            Value::List(items) if items.len() > most => {
                self.too_large(node.mark, path, format!("{} entries, the limit is {most}", items.len()));
                &[]
            }
            Value::List(items) => items,
            other => {
                self.wrong(node.mark, path, "a list", other);
                &[]
            }
        }
    }

    /// Text. A YAML scalar without quotes is the text that was written.
    pub fn text(&mut self, node: &Node, path: &str) -> Option<String> {
        match &node.value {
            Value::Text(text) | Value::Plain(text) => Some(text.clone()),
            other => {
                self.wrong(node.mark, path, "text", other);
                None
            }
        }
    }

    pub fn texts(&mut self, node: &Node, path: &str, most: usize) -> Vec<String> {
        let items = self.list(node, path, most);
        items.iter().enumerate().filter_map(|(at, item)| self.text(item, &format!("{path}[{at}]"))).collect()
    }

    pub fn bool(&mut self, node: &Node, path: &str) -> Option<bool> {
        match &node.value {
            Value::Bool(value) => Some(*value),
            Value::Plain(text) if text == "true" => Some(true),
            Value::Plain(text) if text == "false" => Some(false),
            other => {
                self.wrong(node.mark, path, "true or false", other);
                None
            }
        }
    }

    pub fn integer(&mut self, node: &Node, path: &str) -> Option<i64> {
        match &node.value {
            Value::Number(text) | Value::Plain(text) if text.parse::<i64>().is_ok() => text.parse().ok(),
            other => {
                self.wrong(node.mark, path, "a whole number", other);
                None
            }
        }
    }

    pub fn number(&mut self, node: &Node, path: &str) -> Option<f64> {
        match &node.value {
            Value::Number(text) if text.parse().is_ok_and(f64::is_finite) => text.parse().ok(),
            other => {
                self.wrong(node.mark, path, "a number", other);
                None
            }
        }
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&mut self, node: &Node, path: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, path)?;
        let found = choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let what = path.rsplit('.').next().unwrap_or(path);
            self.fault(node.mark, path, format!("unknown {what} `{text}`"), Some(suggest(&text, &names)));
        }
        found
    }

    fn wrong(&mut self, mark: Mark, path: &str, wanted: &str, found: &Value) {
        let found = match found {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(text) => format!("the number {text}"),
            Value::Text(text) => format!("the text {:?}", shorten(text)),
            Value::Plain(text) => format!("`{}`", shorten(text)),
            Value::List(_) => "a list".to_owned(),
            Value::Object(_) => "an object".to_owned(),
        };
        self.fault(mark, path, format!("expected {wanted}, found {found}"), None);
    }
}

impl<'a> Fields<'a> {
    /// The value of a key, unless it is absent or null.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.entries.iter().find(|(known, _)| known.name == key).map(|(_, value)| *value)
    }

    /// The text of a key, where it is there.
    pub fn text(&self, reader: &mut Reader, key: &str) -> Option<String> {
        reader.text(self.get(key)?, &self.at(key))
    }

    /// The texts of a key, none where it is absent.
    pub fn texts(&self, reader: &mut Reader, key: &str, most: usize) -> Vec<String> {
        self.get(key).map(|node| reader.texts(node, &self.at(key), most)).unwrap_or_default()
    }

    /// Whether a key is there and true.
    pub fn is_true(&self, reader: &mut Reader, key: &str) -> bool {
        self.get(key).and_then(|node| reader.bool(node, &self.at(key))).unwrap_or(false)
    }

    /// Which of a few words a key has, where it is there.
    pub fn choice<T: Copy>(&self, reader: &mut Reader, key: &str, choices: &[(&str, T)]) -> Option<T> {
        reader.choice(self.get(key)?, &self.at(key), choices)
    }

    /// The path of a key's value.
    pub fn at(&self, key: &str) -> String {
        join(&self.path, key)
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The hint for a word that is none of the known ones: the nearest one, or all of them.
pub(crate) fn suggest(word: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|name| (distance(word, name), name)).min();
    match nearest {
        Some((distance, name)) if distance <= name.chars().count().max(3) / 3 => format!("did you mean `{name}`?"),
        _ => format!("known: {}", known.join(", ")),
    }
}

/// Edits between two words without regard to case: insert, delete, replace, or swap two neighbours (optimal string alignment).
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}
