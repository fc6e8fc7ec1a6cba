//! Hints.
/// Guidance on one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Hints {
    /// What must hold before a call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub preconditions: Vec<String>,
    /// What not to do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub anti_patterns: Vec<String>,
    /// What to call next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chains_with: Vec<String>,
    /// What comes back.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output_shape: String,
}
impl Hints {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool { *self == Hints::default() }
}
