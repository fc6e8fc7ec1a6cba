//! A text read into a tree that knows where each value stands, so that every fault can be told with line, column and path.
//!
//! Requests, options, rules and intent tables are read through it, JSON and YAML alike. Tools are not: their text is kept as it came
//! (see [`crate::tool`]).

mod json;
mod reader;
mod yaml;
pub(crate) mod yaml_tree;

pub(crate) use json::{HalfPair, check_depth, parse as parse_json, parse_with as parse_json_with};
pub(crate) use reader::{Fields, Reader, distance, suggest};
pub(crate) use yaml::parse as parse_yaml;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// One value of a document and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub mark: Mark,
    pub value: Value,
}

/// What a value is. A YAML scalar that is not quoted is [`Value::Plain`]: what it means depends on what is asked for, so that `no` in a list of
/// tags stays the text it was written as.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// A JSON number, as written.
    Number(String),
    Text(String),
    /// A YAML plain scalar, as written (`null`, `~` and nothing at all are [`Value::Null`]).
    Plain(String),
    List(Vec<Node>),
    /// Keys in the order written; doubles are kept, for the reader to report.
    Object(Vec<(Key, Node)>),
}

/// A key of an object and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Key {
    pub mark: Mark,
    pub name: String,
}
