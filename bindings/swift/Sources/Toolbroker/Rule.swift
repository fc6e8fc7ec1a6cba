/// What happens to the tools that it matches, for some intents or all.
public struct Rule: Hashable, Sendable, Codable {
    /// Its name, unique; nil is named by its place.
    public var name: String?
    /// A pattern of intents; nil, empty and `*` are every intent.
    public var intent: String?
    /// The tools it is for.
    public var match: Match
    /// What happens to them.
    public var action: Action
    /// The higher, the stronger; nil is 0.
    public var priority: Int?
    /// Only for `include`: whether it switches the whitelist on when it matches no registered tool; nil is as the broker does.
    public var emptyInclude: Options.EmptyInclude?

    /// A rule.
    public init(
        name: String? = nil, intent: String? = nil, match: Match, action: Action, priority: Int? = nil, emptyInclude: Options.EmptyInclude? = nil
    ) {
        self.name = name
        self.intent = intent
        self.match = match
        self.action = action
        self.priority = priority
        self.emptyInclude = emptyInclude
    }

    private enum CodingKeys: String, CodingKey {
        case name, intent, match, action, priority
        case emptyInclude = "empty_include"
    }

    /// What a rule does to its tools. The profile `go-0.2` keeps names that it does not know.
    public struct Action: Hashable, Sendable, Codable {
        /// Its name in rule files.
        public let type: String
        /// The action of that name.
        public init(type: String) { self.type = type }
        /// Shows them, and hides what no rule shows.
        public static let include = Action(type: "include")
        /// Hides them.
        public static let exclude = Action(type: "exclude")
        /// Shows them.
        public static let allow = Action(type: "allow")
        /// Shows them ahead of all others, and never cuts them.
        public static let pin = Action(type: "pin")
        /// Shows them in short.
        public static let summarize = Action(type: "summarize")
        /// Shows them whole, where another rule would summarize.
        public static let full = Action(type: "full")
    }

    /// The tools that fit every key that is set.
    public struct Match: Hashable, Sendable, Codable {
        /// Patterns of tool names.
        public var patterns: [String]?
        /// Patterns of tags.
        public var tags: [String]?
        /// Patterns of server names.
        public var servers: [String]?
        /// Hints that must have that value.
        public var annotations: Annotations?
        /// Whether case does not count in patterns, tags and servers; nil is false.
        public var ignoreCase: Bool?
        /// What it matches, the rule does not.
        public var not: Match? {
            get { negated.first }
            set { negated = newValue.map { [$0] } ?? [] }
        }
        /// None or one: a struct cannot hold itself.
        private var negated: [Match]

        /// The tools that fit every parameter that is given.
        public init(
            patterns: [String]? = nil, tags: [String]? = nil, servers: [String]? = nil, annotations: Annotations? = nil, ignoreCase: Bool? = nil,
            not: Match? = nil
        ) {
            self.patterns = patterns
            self.tags = tags
            self.servers = servers
            self.annotations = annotations
            self.ignoreCase = ignoreCase
            negated = not.map { [$0] } ?? []
        }

        /// Reads a match.
        public init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                patterns: try keys.decodeIfPresent([String].self, forKey: .patterns),
                tags: try keys.decodeIfPresent([String].self, forKey: .tags),
                servers: try keys.decodeIfPresent([String].self, forKey: .servers),
                annotations: try keys.decodeIfPresent(Annotations.self, forKey: .annotations),
                ignoreCase: try keys.decodeIfPresent(Bool.self, forKey: .ignoreCase),
                not: try keys.decodeIfPresent(Match.self, forKey: .not))
        }

        /// Writes the match.
        public func encode(to encoder: any Encoder) throws {
            var keys = encoder.container(keyedBy: CodingKeys.self)
            try keys.encodeIfPresent(patterns, forKey: .patterns)
            try keys.encodeIfPresent(tags, forKey: .tags)
            try keys.encodeIfPresent(servers, forKey: .servers)
            try keys.encodeIfPresent(annotations, forKey: .annotations)
            try keys.encodeIfPresent(ignoreCase, forKey: .ignoreCase)
            try keys.encodeIfPresent(not, forKey: .not)
        }

        private enum CodingKeys: String, CodingKey {
            case patterns, tags, servers, annotations, not
            case ignoreCase = "ignore_case"
        }
    }
}

/// Where rules come from.
public enum RuleSource: Sendable, Encodable {
    /// Rules made in the program.
    case rules([Rule])
    /// A text in YAML or JSON; `file` is the name that errors show for it.
    case text(String, format: RuleFormat = .yaml, file: String? = nil)
    /// A file that the library reads; its ending decides the format where none is given.
    case path(String, format: RuleFormat? = nil)

    /// Writes the request of `load_rules` and `read_rules`.
    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .rules(let rules): try keys.encode(rules, forKey: .rules)
        case .text(let text, let format, let file):
            try keys.encode(text, forKey: .text)
            try keys.encode(format, forKey: .format)
            try keys.encodeIfPresent(file, forKey: .file)
        case .path(let path, let format):
            try keys.encode(path, forKey: .path)
            try keys.encodeIfPresent(format, forKey: .format)
        }
    }

    private enum CodingKeys: String, CodingKey { case rules, text, format, path, file }
}

/// The language of a rule text.
public enum RuleFormat: String, Sendable, Codable {
    /// YAML.
    case yaml
    /// JSON; it is YAML too, but this gives JSON's errors.
    case json
}
