//! What an enricher knows about a tool beyond its definition.

use serde::Serialize;

/// Hints about one tool. Serialized, empty parts are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Hints {
    /// What must hold before the tool is called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<String>,
    /// How the tool should not be used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub anti_patterns: Vec<String>,
    /// Tools that are called before or after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chains_with: Vec<String>,
    /// What its output looks like.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output_shape: String,
}

impl Hints {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.preconditions.is_empty() && self.anti_patterns.is_empty() && self.chains_with.is_empty() && self.output_shape.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_is_written() {
        assert!(Hints::default().is_empty());
        let hints = Hints { chains_with: vec!["b".into()], output_shape: "a list".into(), ..Hints::default() };
        assert!(!hints.is_empty());
        assert_eq!(serde_json::to_string(&hints).unwrap(), r#"{"chains_with":["b"],"output_shape":"a list"}"#);
    }
}
