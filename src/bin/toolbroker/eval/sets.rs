//! Sets of messages with their right tools.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Failure, sources};

/// Tools, and messages for them.
pub struct Set {
    pub name: String,
    /// The list of tools, as JSON.
    pub tools: String,
    /// The tools' names, by which queries speak of them.
    pub names: Vec<String>,
    pub queries: Vec<Query>,
}

/// A message and the tools that are right for it; none where it needs no tool.
#[derive(Deserialize)]
pub struct Query {
    pub query: String,
    pub tools: Vec<String>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Reads every folder that holds a set, by name.
pub fn read(folder: &Path, queries: Option<&Path>, only: &[String]) -> Result<Vec<Set>, Failure> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map_err(|error| sources::unreadable(folder, &error))?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| folder.join(name).join("tools.json").is_file() && (only.is_empty() || only.contains(name)))
        .collect();
    names.sort();
    if let Some(missing) = only.iter().find(|name| !names.contains(name)) {
        return Err(Failure::Message(format!("{}: there is no set `{missing}`", folder.display())));
    }
    if names.is_empty() {
        return Err(Failure::Message(format!("{}: no folder with tools.json and queries.json", folder.display())));
    }
    names.into_iter().map(|name| read_one(folder, queries.unwrap_or(folder), name)).collect()
}

fn read_one(folder: &Path, queries: &Path, name: String) -> Result<Set, Failure> {
    let (tools, named): (_, Vec<Named>) = parse(&folder.join(&name).join("tools.json"))?;
    let file = queries.join(&name).join("queries.json");
    let (_, queries): (_, Vec<Query>) = parse(&file)?;
    if queries.is_empty() {
        return Err(Failure::Message(format!("{}: no query", file.display())));
    }
    Ok(Set { name, tools, names: named.into_iter().map(|tool| tool.name).collect(), queries })
}

/// A file's text, and what it holds.
fn parse<T: DeserializeOwned>(file: &Path) -> Result<(String, T), Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| sources::unreadable(file, &error))?;
    let value = serde_json::from_str(&text).map_err(|error| Failure::Message(format!("{}: {error}", file.display())))?;
    Ok((text, value))
}
