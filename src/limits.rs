//! Every limit of the library, in one place. `docs/contract.md` lists them; `info` gives them to a host.

/// One text handed in, in bytes.
pub const INPUT_BYTES: usize = 256 << 20;
/// One rule text or file, in bytes.
pub const RULE_BYTES: usize = 16 << 20;
/// Nesting of JSON and YAML: lists and objects inside one another.
pub const DEPTH: usize = 128;
/// Values in one JSON or YAML text that is read as a tree (requests, rules, options), with aliases expanded.
pub const NODES: usize = 1_000_000;
/// Tools in a registry.
pub const TOOLS: usize = 200_000;
/// One tool's JSON, in bytes.
pub const TOOL_BYTES: usize = 16 << 20;
/// A tool's or server's name, in bytes.
pub const NAME_BYTES: usize = 1_024;
/// Rules in force.
pub const RULES: usize = 10_000;
/// Entries of one list in a `match`.
pub const PATTERNS: usize = 1_000;
/// One pattern, in bytes.
pub const PATTERN_BYTES: usize = 1_024;
/// Intents in a table.
pub const INTENTS: usize = 10_000;
/// Phrases in an intent table, all intents together.
pub const PHRASES: usize = 100_000;
/// One phrase, in bytes.
pub const PHRASE_BYTES: usize = 1_024;
/// Entries of one list in a request: hints, pins, keywords, names.
pub const LIST_ITEMS: usize = 10_000;
/// Words of a message that tools are compared with; what stands behind them is left out, with a warning.
pub const MESSAGE_WORDS: usize = 10_000;
/// Messages that a session looks back on.
pub const WINDOW_MESSAGES: usize = 64;
/// Texts that an embedder is asked for in one call.
pub const EMBEDDING_BATCH: usize = 64;
/// Values of one vector.
pub const VECTOR_VALUES: usize = 65_536;

/// The limits by the names that `info` and the documentation use.
pub const ALL: [(&str, usize); 18] = [
    ("input_bytes", INPUT_BYTES),
    ("rule_bytes", RULE_BYTES),
    ("depth", DEPTH),
    ("nodes", NODES),
    ("tools", TOOLS),
    ("tool_bytes", TOOL_BYTES),
    ("name_bytes", NAME_BYTES),
    ("rules", RULES),
    ("patterns", PATTERNS),
    ("pattern_bytes", PATTERN_BYTES),
    ("intents", INTENTS),
    ("phrases", PHRASES),
    ("phrase_bytes", PHRASE_BYTES),
    ("list_items", LIST_ITEMS),
    ("message_words", MESSAGE_WORDS),
    ("window_messages", WINDOW_MESSAGES),
    ("embedding_batch", EMBEDDING_BATCH),
    ("vector_values", VECTOR_VALUES),
];
