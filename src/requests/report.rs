//! The report of a change as JSON.

use serde::Serialize;

use crate::registry::Report;
use crate::tool::ToolId;

#[derive(Serialize)]
struct ReportJson<'a> {
    added: &'a [ToolId],
    replaced: &'a [ToolId],
    removed: &'a [ToolId],
    refused: Vec<RefusedJson<'a>>,
    warnings: Vec<WarningJson<'a>>,
    total: usize,
}

#[derive(Serialize)]
struct RefusedJson<'a> {
    index: usize,
    server: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
}

#[derive(Serialize)]
struct WarningJson<'a> {
    code: &'static str,
    server: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    message: &'a str,
}

impl Report {
    /// The report as the JSON object that `docs/contract.md` describes.
    pub fn to_json(&self) -> String {
        let refused = self.refused.iter().map(|refusal| RefusedJson {
            index: refusal.index,
            server: &refusal.server,
            name: refusal.name.as_deref(),
            code: refusal.error.code.name(),
            message: &refusal.error.message,
            path: refusal.error.at.path.as_deref(),
        });
        let warnings = self.warnings.iter().map(|warning| WarningJson {
            code: warning.code,
            server: &warning.id.server,
            name: &warning.id.name,
            message: &warning.message,
        });
        super::to_json(&ReportJson {
            added: &self.added,
            replaced: &self.replaced,
            removed: &self.removed,
            refused: refused.collect(),
            warnings: warnings.collect(),
            total: self.total,
        })
    }
}
