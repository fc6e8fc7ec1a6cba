pub(crate) mod json { use crate::error::Result; use crate::hints::Hints; use crate::rules::Rule;
 pub(crate) struct GoTool { pub name: String, pub description: String, pub server: String, pub tags: Vec<String>, pub cost_tier: String }
 pub(crate) fn tool(_: &str) -> Result<GoTool> { Err(crate::error::Error::new(crate::error::Code::InvalidHints, "stub")) }
 pub(crate) fn hints(_: &str) -> Result<Hints> { Err(crate::error::Error::new(crate::error::Code::InvalidHints, "stub")) }
 pub(crate) fn rules(_: &str) -> Result<Option<Vec<Rule>>> { Err(crate::error::Error::new(crate::error::Code::InvalidHints, "stub")) } }
pub(crate) mod yaml { use crate::error::Result; use crate::rules::Rule; pub(crate) fn rules(_: &str) -> Result<Option<Vec<Rule>>> { Err(crate::error::Error::new(crate::error::Code::InvalidHints, "stub")) } }
pub(crate) mod marshal { pub(crate) fn tool_json(_: &super::json::GoTool) -> String { String::new() } }
pub(crate) mod lower { pub(crate) fn lower(t: &str) -> String { t.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect() } }
pub(crate) mod path_match { #[derive(Debug)] pub(crate) struct PathPattern; impl PathPattern { pub fn new(_: &str) -> Self { Self } pub fn fits(&self, _: &str) -> bool { false } }
 #[derive(Debug)] pub(crate) struct NamePattern; impl NamePattern { pub fn new(_: &str) -> Self { Self } pub fn fits(&self, _: &str) -> bool { false } } }
