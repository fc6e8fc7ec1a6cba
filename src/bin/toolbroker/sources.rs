//! Where tools come from: files, folders of them, standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use toolbroker::{Broker, Report};

use super::Failure;

/// One text of tools, and the server that it is from.
struct Source {
    /// What messages call it.
    name: String,
    server: String,
    text: String,
}

/// Reads every source, in order; a folder's files by name.
fn read(paths: &[PathBuf], server: Option<&str>) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for path in paths {
        if path.is_dir() {
            for file in files_of(path)? {
                sources.push(read_one(&file, server)?);
            }
        } else {
            sources.push(read_one(path, server)?);
        }
    }
    Ok(sources)
}

/// Adds every source to a broker; what is not taken is told on standard error.
pub fn add(broker: &Broker, paths: &[PathBuf], server: Option<&str>) -> Result<(), Failure> {
    for source in read(paths, server)? {
        let report = broker.add_tools(&source.server, &source.text).map_err(|error| error.in_file(Some(&source.name)))?;
        tell(&report, &format!("{}: ", source.name));
    }
    Ok(())
}

/// Tells on standard error what was not taken and what is to know of the rest; `source` stands before each line.
pub fn tell(report: &Report, source: &str) {
    for refusal in &report.refused {
        let name = refusal.name.as_deref().unwrap_or("(no name)");
        eprintln!("toolbroker: {source}tool {} `{name}` is not taken: {}", refusal.index + 1, refusal.error);
    }
    for warning in &report.warnings {
        let tool = if warning.id.name.is_empty() { String::new() } else { format!("`{}`: ", warning.id) };
        eprintln!("toolbroker: {source}{tool}{}", warning.message);
    }
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(|error| unreadable(folder, &error))?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file() && file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")));
    files.sort();
    if files.is_empty() {
        return Err(Failure::Message(format!("{}: no .json file in this folder", folder.display())));
    }
    Ok(files)
}

/// The server is the file's own key `server`, else the one that was given, else the file's name.
fn read_one(path: &Path, server: Option<&str>) -> Result<Source, Failure> {
    let is_input = path == Path::new("-");
    let mut bytes = Vec::new();
    if is_input {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(path).map_err(|error| unreadable(path, &error))?;
    }
    let name = if is_input { "standard input".to_owned() } else { path.display().to_string() };
    let text = String::from_utf8(bytes)
        .map_err(|error| Failure::Message(format!("{name}: not UTF-8 at byte {}", error.utf8_error().valid_up_to())))?;
    let text = text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text);
    let stem = || if is_input { "stdin".into() } else { path.file_stem().unwrap_or_default().to_string_lossy().into_owned() };
    let server = own_server(&text).or(server.map(str::to_owned)).unwrap_or_else(stem);
    Ok(Source { name, server, text })
}

pub fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Message(format!("{}: {error}", path.display()))
}

/// The server that a whole list or a response names. A single tool's `server` is its own affair.
fn own_server(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct List {
        server: Option<String>,
        tools: Option<IgnoredAny>,
        result: Option<IgnoredAny>,
    }
    let list: List = serde_json::from_str(text).ok()?;
    list.tools.or(list.result).and(list.server)
}
