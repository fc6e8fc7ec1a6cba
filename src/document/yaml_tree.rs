//! One YAML document as the parser tells it: scalars as written, tags and aliases not yet interpreted.

use std::collections::HashMap;

use serde_yaml::{ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span, StrInput, Tag, YamlVersion};

use super::Mark;
use crate::error::{Code, Error, Result};
use crate::limits;

/// A place in [`Tree::items`].
pub(crate) type Id = usize;

/// The first document of a text.
pub(crate) struct Tree {
    pub items: Vec<Item>,
    /// `None` where the text holds no document.
    pub root: Option<Id>,
    /// What `%YAML` says.
    pub version: Option<YamlVersion>,
    /// Where a second document begins.
    pub second: Option<Mark>,
    /// The first notation that YAML 1.2 has and YAML 1.1 has not, as far as readers of 1.1 refuse it.
    pub only_in_1_2: Option<(Mark, &'static str)>,
}

/// One node.
pub(crate) struct Item {
    pub mark: Mark,
    /// The whole tag, such as `tag:yaml.org,2002:str`; `!` alone is no tag.
    pub tag: Option<String>,
    pub content: Content,
}

impl Item {
    /// Bytes of a scalar's text.
    pub fn text_len(&self) -> usize {
        if let Content::Scalar { text, .. } = &self.content { text.len() } else { 0 }
    }
}

/// What a node holds.
pub(crate) enum Content {
    Scalar {
        text: String,
        /// Quoted or a block, not plain.
        quoted: bool,
    },
    List(Vec<Id>),
    Map(Vec<(Id, Id)>),
    Alias(Id),
}

/// How much of a text is read, and how strictly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// To its end, so that a fault anywhere is found.
    Whole,
    /// The first document; a byte order mark within it is an ordinary character.
    FirstDocument,
}

/// Reads the first document. A leading byte order mark is skipped.
pub(crate) fn read(text: &str, extent: Extent) -> Result<Tree> {
    if text.len() > limits::INPUT_BYTES {
        return Err(Error::new(Code::TooLarge, format!("{} bytes, the limit is {}", text.len(), limits::INPUT_BYTES)));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut options = Options::default();
    // YAML does not end such a scalar with a line break that is not there.
    options.block_scalar_eof_without_line_feed = true;
    options.emit_anchor_events = true;
    // The scanner runs ahead by about one key; the bracket that is too deep is told by the builder, which knows its place.
    options.flow_nesting_limit = limits::DEPTH + 2 * options.simple_key_max_lookahead;
    options.bom_inside_document_as_content = extent == Extent::FirstDocument;
    let parser = Parser::new_from_str_with_options(text, options);
    let tree = Tree { items: Vec::new(), root: None, version: None, second: None, only_in_1_2: None };
    Builder { text, parser, tree, open: Vec::new(), anchors: HashMap::new() }.run(extent).map_err(|fault| fault.into_error(text))
}

/// What to do about the commonest slip with patterns.
pub(crate) const QUOTE: &str = "a text that begins with `*`, `&` or `!` needs quotes";

/// A tag under `tag:yaml.org,2002:` by its short name, such as `str`.
pub(crate) fn core_name(tag: &str) -> Option<&str> {
    tag.strip_prefix("tag:yaml.org,2002:")
}

enum Fault {
    Syntax(ScanError),
    Other(Error),
}

impl Fault {
    fn into_error(self, text: &str) -> Error {
        let fault = match self {
            Fault::Other(error) => return error,
            Fault::Syntax(fault) => fault,
        };
        let mark = Mark { line: fault.marker().line().max(1), column: fault.marker().col() + 1 };
        // The parser tells where a scalar begins; the tab is on a line behind.
        let lines = if *fault.kind() == ErrorKind::TabInPlainScalar { usize::MAX } else { 1 };
        if *fault.kind() == ErrorKind::RecursionLimitExceeded {
            at(too_deep(), mark)
        } else if let Some(tab) = indenting_tab(text, mark.line, lines) {
            at(Error::new(Code::InvalidYaml, "tabs cannot indent").with_hint("use spaces"), tab)
        } else {
            let error = at(Error::new(Code::InvalidYaml, fault.info()), mark);
            // A pattern such as *_x without quotes is read as an alias.
            if fault.info().contains("anchor") || fault.info().contains("alphabetic") { error.with_hint(QUOTE) } else { error }
        }
    }
}

/// The first tab that indents one of some lines.
fn indenting_tab(text: &str, first: usize, lines: usize) -> Option<Mark> {
    let tab = |(index, line): (usize, &str)| {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        line[spaces..].starts_with('\t').then_some(Mark { line: index + 1, column: spaces + 1 })
    };
    text.lines().enumerate().skip(first - 1).take(lines).find_map(tab)
}

/// The error for lists and maps within more than [`limits::DEPTH`] others.
pub(crate) fn too_deep() -> Error {
    Error::new(Code::TooDeep, format!("nested deeper than {} levels, aliases expanded", limits::DEPTH))
}

/// A list or map whose end is not read yet, and the key that waits for its value.
struct Open {
    id: Id,
    key: Option<Id>,
}

struct Builder<'a> {
    text: &'a str,
    parser: Parser<'a, StrInput<'a>>,
    tree: Tree,
    open: Vec<Open>,
    anchors: HashMap<usize, Id>,
}

impl Builder<'_> {
    fn run(mut self, extent: Extent) -> Result<Tree, Fault> {
        while let Some(event) = self.parser.next_event() {
            let (event, span) = event.map_err(Fault::Syntax)?;
            let first = self.tree.second.is_none();
            match event {
                Event::DocumentStart(..) if self.tree.root.is_some() => {
                    self.tree.second.get_or_insert(mark(&span));
                }
                Event::DocumentStart(_, version) => self.tree.version = version,
                Event::DocumentEnd if extent == Extent::FirstDocument => break,
                _ if first => self.node(event, &span).map_err(Fault::Other)?,
                _ => {}
            }
        }
        Ok(self.tree)
    }

    fn node(&mut self, event: Event, span: &Span) -> Result<()> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let quoted = style != ScalarStyle::Plain;
                if style == ScalarStyle::DoubleQuoted && span.slice(self.text).is_some_and(escapes_slash) {
                    self.tree.only_in_1_2.get_or_insert((mark(span), "the escape `\\/`"));
                }
                // The parser writes an absent value as `~`.
                let text = if !quoted && span.is_empty() { String::new() } else { text.into_owned() };
                self.add(span, anchor, tag.as_deref(), Content::Scalar { text, quoted })?;
            }
            Event::Anchor(_, name) if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')) => {
                self.tree.only_in_1_2.get_or_insert((mark(span), "an anchor with other characters than letters, digits, `_` and `-`"));
            }
            Event::Alias(anchor) => {
                let target = self.anchors.get(&anchor).copied();
                let target = target.ok_or_else(|| at(Error::new(Code::InvalidYaml, "unknown anchor"), mark(span)))?;
                self.add(span, 0, None, Content::Alias(target))?;
            }
            Event::SequenceStart(_, anchor, tag) => self.begin(span, anchor, tag.as_deref(), Content::List(Vec::new()))?,
            Event::MappingStart(_, anchor, tag) => self.begin(span, anchor, tag.as_deref(), Content::Map(Vec::new()))?,
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, span: &Span, anchor: usize, tag: Option<&Tag>, content: Content) -> Result<()> {
        if self.open.len() == limits::DEPTH {
            return Err(at(too_deep(), mark(span)));
        }
        let id = self.add(span, anchor, tag, content)?;
        self.open.push(Open { id, key: None });
        Ok(())
    }

    fn add(&mut self, span: &Span, anchor: usize, tag: Option<&Tag>, content: Content) -> Result<Id> {
        let id = self.tree.items.len();
        if id == limits::NODES {
            return Err(at(too_many(), mark(span)));
        }
        let tag = tag.map(|tag| format!("{}{}", tag.handle(), tag.suffix())).filter(|tag| tag != "!");
        self.tree.items.push(Item { mark: mark(span), tag, content });
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        match self.open.last_mut() {
            None => self.tree.root = Some(id),
            Some(open) => match (&mut self.tree.items[open.id].content, open.key.take()) {
                (Content::List(items), _) => items.push(id),
                (Content::Map(entries), Some(key)) => entries.push((key, id)),
                _ => open.key = Some(id),
            },
        }
        Ok(id)
    }
}

fn escapes_slash(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' && bytes.next() == Some(b'/') {
            return true;
        }
    }
    false
}

/// The error for more nodes than [`limits::NODES`].
pub(crate) fn too_many() -> Error {
    Error::new(Code::TooLarge, format!("more than {} values or {} bytes, aliases expanded", limits::NODES, limits::RULE_BYTES))
}

/// The error at a mark.
pub(crate) fn at(error: Error, mark: Mark) -> Error {
    error.with_position(mark.line, mark.column)
}

fn mark(span: &Span) -> Mark {
    Mark { line: span.start.line(), column: span.start.col() + 1 }
}
