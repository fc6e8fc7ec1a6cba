//! YAML text into a [`Node`] tree: the strict reading, in which nothing is guessed and no tag but `!!str` changes a value.

use super::yaml_tree::{self, Content, Extent, Id, Item, Tree};
use super::{Key, Node, Value};
use crate::error::{Code, Error, Result};
use crate::limits;

/// Reads one YAML document; `None` for a text without any.
pub(crate) fn parse(text: &str) -> Result<Option<Node>> {
    let tree = yaml_tree::read(text, Extent::Whole)?;
    if let Some(mark) = tree.second {
        let error = Error::new(Code::InvalidYaml, "a second document begins here").with_hint("a text holds one document");
        return Err(yaml_tree::at(error, mark));
    }
    tree.root.map(|root| Expansion { tree: &tree, nodes: 0, bytes: 0 }.node(root, 0)).transpose()
}

/// Copies every alias's target to where the alias stands, and counts.
struct Expansion<'a> {
    tree: &'a Tree,
    nodes: usize,
    /// Of texts: an alias costs what it stands for.
    bytes: usize,
}

impl Expansion<'_> {
    fn node(&mut self, id: Id, depth: usize) -> Result<Node> {
        let item = &self.tree.items[id];
        self.count(item)?;
        let value = match &item.content {
            // The target is no alias again, so this is one step.
            Content::Alias(target) => return Ok(Node { mark: item.mark, ..self.node(*target, depth)? }),
            Content::Scalar { text, quoted } => scalar(item, text, *quoted)?,
            Content::List(items) => {
                check_collection(item, depth)?;
                Value::List(items.iter().map(|item| self.node(*item, depth + 1)).collect::<Result<_>>()?)
            }
            Content::Map(entries) => {
                check_collection(item, depth)?;
                let read = |(key, value): &(Id, Id)| Ok((self.key(*key)?, self.node(*value, depth + 1)?));
                Value::Object(entries.iter().map(read).collect::<Result<_>>()?)
            }
        };
        Ok(Node { mark: item.mark, value })
    }

    fn key(&mut self, id: Id) -> Result<Key> {
        let item = &self.tree.items[id];
        self.count(item)?;
        let target = match item.content {
            Content::Alias(target) => {
                let target = &self.tree.items[target];
                self.count(target)?;
                target
            }
            _ => item,
        };
        match &target.content {
            Content::Scalar { text, quoted } => {
                scalar(target, text, *quoted)?;
                Ok(Key { mark: item.mark, name: text.clone() })
            }
            _ => Err(yaml_tree::at(Error::new(Code::InvalidYaml, "a key must be text"), item.mark)),
        }
    }

    fn count(&mut self, item: &Item) -> Result<()> {
        self.nodes += 1;
        self.bytes += item.text_len();
        if self.nodes > limits::NODES || self.bytes > limits::RULE_BYTES {
            return Err(yaml_tree::at(yaml_tree::too_many(), item.mark));
        }
        Ok(())
    }
}

fn scalar(item: &Item, text: &str, quoted: bool) -> Result<Value> {
    match &item.tag {
        Some(tag) if yaml_tree::core_name(tag) == Some("str") => Ok(Value::Text(text.to_owned())),
        Some(tag) => Err(unsupported(item, tag)),
        None if quoted => Ok(Value::Text(text.to_owned())),
        None if matches!(text, "" | "~" | "null" | "Null" | "NULL") => Ok(Value::Null),
        None => Ok(Value::Plain(text.to_owned())),
    }
}

fn check_collection(item: &Item, depth: usize) -> Result<()> {
    if depth == limits::DEPTH {
        return Err(yaml_tree::at(yaml_tree::too_deep(), item.mark));
    }
    item.tag.as_ref().map_or(Ok(()), |tag| Err(unsupported(item, tag)))
}

fn unsupported(item: &Item, tag: &str) -> Error {
    let short = yaml_tree::core_name(tag).map_or_else(|| tag.to_owned(), |name| format!("!!{name}"));
    yaml_tree::at(Error::new(Code::InvalidYaml, format!("tag `{short}` is not supported")).with_hint(yaml_tree::QUOTE), item.mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Mark;

    fn value(text: &str) -> Value {
        parse(text).unwrap().expect("no document").value
    }

    fn error(text: &str) -> (Code, usize, usize) {
        let error = parse(text).expect_err("no error");
        (error.code, error.at.line.unwrap_or_default(), error.at.column.unwrap_or_default())
    }

    fn items(text: &str) -> Vec<Value> {
        match value(text) {
            Value::List(items) => items.into_iter().map(|item| item.value).collect(),
            other => panic!("no list: {other:?}"),
        }
    }

    fn plain(text: &str) -> Value {
        Value::Plain(text.to_owned())
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn plain_scalars_stay_as_written_and_null_is_null() {
        assert_eq!(items("[no, 1.0, 2024-01-01, <<]"), [plain("no"), plain("1.0"), plain("2024-01-01"), plain("<<")]);
        assert_eq!(
            items("- null\n- ~\n-\n- Null\n- NULL\n- nULL\n"),
            [Value::Null, Value::Null, Value::Null, Value::Null, Value::Null, plain("nULL")]
        );
        assert_eq!(items("['no', \"~\", !!str null, !!str ]"), [text("no"), text("~"), text("null"), text("")]);
        assert_eq!(items("- |\n  a\n  b\n- >-\n  a\n  b\n- |\n  end"), [text("a\nb\n"), text("a b"), text("end")]);
    }

    #[test]
    fn keys_and_values_carry_their_place() {
        let tree = parse("\u{feff}a: 1\r\né: {null: x}\r\n").unwrap().unwrap();
        let Value::Object(entries) = tree.value else { panic!("no object") };
        assert_eq!(entries[0].0, Key { mark: Mark { line: 1, column: 1 }, name: "a".into() });
        assert_eq!(entries[0].1, Node { mark: Mark { line: 1, column: 4 }, value: plain("1") });
        let inner = Node { mark: Mark { line: 2, column: 11 }, value: plain("x") };
        let key = Key { mark: Mark { line: 2, column: 5 }, name: "null".into() };
        assert_eq!(entries[1].1, Node { mark: Mark { line: 2, column: 4 }, value: Value::Object(vec![(key, inner)]) });
    }

    #[test]
    fn a_text_without_a_document_is_none() {
        for text in ["", "\n", "# only a comment\n", "\u{feff}"] {
            assert_eq!(parse(text).unwrap(), None);
        }
        assert_eq!(value("---\n"), Value::Null);
    }

    #[test]
    fn aliases_are_expanded() {
        assert_eq!(items("[&a x, *a, &a y, *a]"), [plain("x"), plain("x"), plain("y"), plain("y")]);
    }

    #[test]
    fn aliases_that_grow_without_end_are_too_large() {
        let mut bomb = String::from("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..10 {
            let aliases = vec![format!("*l{}", level - 1); 10].join(", ");
            bomb.push_str(&format!("l{level}: &l{level} [{aliases}]\n"));
        }
        assert_eq!(error(&bomb).0, Code::TooLarge);
    }

    #[test]
    fn an_alias_to_what_holds_it_is_an_error() {
        assert_eq!(error("&a [x, *a]").0, Code::TooDeep);
        assert_eq!(error("a: &a {b: *a}").0, Code::TooDeep);
    }

    #[test]
    fn depth_ends_at_the_limit() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(limits::DEPTH)).is_ok());
        assert_eq!(error(&nested(limits::DEPTH + 1)), (Code::TooDeep, 1, limits::DEPTH + 1));
        assert_eq!(error(&"[".repeat(100_000)), (Code::TooDeep, 1, limits::DEPTH + 1));
        assert_eq!(error(&"- ".repeat(100_000)), (Code::TooDeep, 1, 2 * limits::DEPTH + 1));
        let aliased = |depth: usize| format!("a: &a {}\nb: {}*a{}\n", nested(100), "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&aliased(limits::DEPTH - 101)).is_ok());
        assert_eq!(error(&aliased(limits::DEPTH - 100)).0, Code::TooDeep);
    }

    #[test]
    fn what_is_not_plain_data_is_refused_at_its_place() {
        assert_eq!(error("a: 1\n---\nb: 2\n"), (Code::InvalidYaml, 2, 1));
        assert_eq!(error("a: 1\n? [b]\n: 2\n"), (Code::InvalidYaml, 2, 3));
        assert_eq!(error("a: !!int 1\n").0, Code::InvalidYaml);
        assert_eq!(error("a: !x [1]\n").0, Code::InvalidYaml);
        assert_eq!(error("a: *b\n"), (Code::InvalidYaml, 1, 4));
        assert_eq!(error("a: 'x\n").0, Code::InvalidYaml);
    }

    #[test]
    fn a_tab_as_indentation_says_so() {
        let cases = [
            ("rules:\n\t- name: x\n", (2, 1)),
            ("rules:\n  - name: x\n\tintent: y\n", (3, 1)),
            ("rules:\n  - name: x\n  \tintent: y\n", (3, 3)),
        ];
        for (text, (line, column)) in cases {
            let error = parse(text).expect_err(text);
            assert_eq!((error.message.as_str(), error.hint.as_deref()), ("tabs cannot indent", Some("use spaces")), "{text:?}");
            assert_eq!((error.at.line, error.at.column), (Some(line), Some(column)), "{text:?}");
        }
    }
}
