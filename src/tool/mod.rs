//! A tool: what was read from it, beside the text that came in.

mod form;
mod read;

use std::sync::{Arc, OnceLock};

use crate::error::{Code, Error};
use crate::json::Entries;
use crate::rank::{ToolTerms, ToolText};
use crate::words::spaced_name;

pub(crate) use read::{Incoming, read_tools};

/// A tool's identity.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct ToolId {
    /// The server's name, empty for a host's own tool.
    pub server: String,
    /// The tool's name on that server.
    pub name: String,
}

impl std::fmt::Display for ToolId {
    /// `server/name`, or the bare name where there is no server.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        if self.server.is_empty() { f.write_str(&self.name) } else { write!(f, "{}/{}", self.server, self.name) }
    }
}

/// A tool. Everything that a selection needs of it is made when it is registered.
#[derive(Debug)]
pub struct Tool {
    pub(crate) id: ToolId,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) tags: Vec<String>,
    pub(crate) annotations: Annotations,
    pub(crate) raw: Arc<str>,
    pub(crate) json: Arc<str>,
    prepared: OnceLock<Prepared>,
    terms: OnceLock<ToolTerms>,
    /// From the host's embedder, one long.
    vector: OnceLock<Box<[f32]>>,
}

/// What selections and listings need of a tool. One that is only looked at in a request goes without.
#[derive(Debug)]
struct Prepared {
    summarized_json: Box<str>,
    listing_json: Box<str>,
}

/// The hints that MCP defines for what a tool does; `None` where a tool does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Annotations {
    /// `readOnlyHint`
    pub read_only: Option<bool>,
    /// `destructiveHint`
    pub destructive: Option<bool>,
    /// `idempotentHint`
    pub idempotent: Option<bool>,
    /// `openWorldHint`
    pub open_world: Option<bool>,
}

impl Annotations {
    /// The names of the hints in JSON.
    pub const NAMES: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

    /// What a hint counts as: the MCP specification's default where a tool does not say (schema 2025-06-18, `ToolAnnotations`). Two hints mean
    /// something only for tools that change things: a tool that only reads destroys nothing, and may be repeated.
    pub fn effective(&self, name: &str) -> bool {
        let read_only = self.read_only.unwrap_or(false);
        match name {
            "readOnlyHint" => read_only,
            "destructiveHint" => !read_only && self.destructive.unwrap_or(true),
            "idempotentHint" => read_only || self.idempotent.unwrap_or(false),
            "openWorldHint" => self.open_world.unwrap_or(true),
            _ => false,
        }
    }
}

impl Tool {
    /// Server and name.
    pub fn id(&self) -> &ToolId {
        &self.id
    }

    /// The description, empty where there is none.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The tags, in the order given.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The annotations.
    pub fn annotations(&self) -> Annotations {
        self.annotations
    }

    /// The text that came in, byte for byte.
    pub fn received(&self) -> &str {
        &self.raw
    }

    /// The tool as it goes out.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The tool as it goes out in short form: first sentence, no schema.
    pub fn summarized_json(&self) -> &str {
        &self.prepared().summarized_json
    }

    /// What a list of tools says of it: name, description, server, tags.
    pub fn listing_json(&self) -> &str {
        &self.prepared().listing_json
    }

    /// What a message is compared with.
    pub(crate) fn terms(&self) -> &ToolTerms {
        self.terms.get_or_init(|| {
            let entries = Entries::read(&self.json).expect("the JSON of a tool is an object");
            ToolTerms::new(&ToolText {
                server: &self.id.server,
                name: &self.id.name,
                title: &self.title,
                description: &self.description,
                tags: &self.tags,
                input_schema: entries.get("inputSchema"),
            })
        })
    }

    /// What an embedder is asked for: name, title and description. It is never empty, since some refuse that, and all that came with it.
    pub(crate) fn embedding_text(&self) -> String {
        let words = spaced_name(&self.id.name);
        let name = if words.is_empty() { self.id.name.clone() } else { words };
        let parts = [name, self.title.clone(), self.description.clone()];
        parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(": ")
    }

    /// The vector of that text, where one was made.
    pub(crate) fn vector(&self) -> Option<&[f32]> {
        self.vector.get().map(|vector| &**vector)
    }

    /// Keeps a vector; of two that were made at the same time the first.
    pub(crate) fn keep_vector(&self, vector: Vec<f32>) {
        self.vector.get_or_init(|| vector.into());
    }

    /// Takes over the vector of the tool that this one replaces, where it is of the same text.
    pub(crate) fn take_vector(&self, before: &Tool) {
        let same = self.id.name == before.id.name && self.title == before.title && self.description == before.description;
        if let Some(vector) = before.vector().filter(|_| same) {
            self.keep_vector(vector.to_vec());
        }
    }

    /// Makes what selections need, where it is not there. Registering does so, so that no selection has to.
    pub(crate) fn prepare(&self, ranked: bool) {
        self.prepared();
        if ranked {
            self.terms();
        }
    }

    fn prepared(&self) -> &Prepared {
        self.prepared.get_or_init(|| {
            let entries = Entries::read(&self.json).expect("the JSON of a tool is an object");
            Prepared {
                summarized_json: form::summarized(&entries, &self.description).into(),
                listing_json: form::listing(&self.id, &self.description, &self.tags).into(),
            }
        })
    }
}

/// A tool that was not taken, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Its place in the list that was handed in, from 0.
    pub index: usize,
    /// The server it would have had.
    pub server: String,
    /// Its name, where one could be read.
    pub name: Option<String>,
    /// What is wrong, with the path inside the tool.
    pub error: Error,
}

/// Why one tool is no tool.
fn fault(path: &str, message: impl AsRef<str>) -> Error {
    Error::new(Code::InvalidTool, message).with_path(path)
}
