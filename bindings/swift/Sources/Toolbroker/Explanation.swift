/// The fate of every tool and the work of every rule in one selection.
public struct Explanation: Hashable, Sendable, Codable {
    /// Every registered tool, in the order of rank, hidden ones last.
    public let tools: [ToolFate]
    /// Every rule in force.
    public let rules: [RuleWork]

    /// What became of a tool.
    public struct ToolFate: Hashable, Sendable, Codable {
        /// The tool's server, or the empty text.
        public let server: String
        /// The tool's name.
        public let name: String
        /// What became of it.
        public let fate: Fate
        /// What decided it.
        public let by: Decider
        /// The rule that decided it, where one did.
        public let rule: String?
        /// How well it fits, from 0 to 1, where there is something to fit.
        public let score: Double?
        /// What it was found by, where it was.
        public let terms: [TermHit]?
        /// Its rank, from 1; nil for a hidden tool.
        public let rank: Int?
        /// The estimate for it, in tokens.
        public let tokens: Int?
        /// Whether it is pinned.
        public let pinned: Bool?

        /// Server and name.
        public var id: ToolID { ToolID(server: server, name: name) }
    }

    /// What became of a tool: one of the names below, or one that a newer library brings.
    public struct Fate: RawRepresentable, Hashable, Sendable, Codable {
        /// The name.
        public let rawValue: String
        /// The fate of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// It is in the selection, whole.
        public static let shown = Fate(rawValue: "shown")
        /// It is in the selection, in short.
        public static let summarized = Fate(rawValue: "summarized")
        /// A rule or the whitelist hid it.
        public static let hidden = Fate(rawValue: "hidden")
        /// The budget or the score cut it.
        public static let cut = Fate(rawValue: "cut")
    }

    /// What decided a tool's fate: one of the names below, or one that a newer library brings.
    public struct Decider: RawRepresentable, Hashable, Sendable, Codable {
        /// The name.
        public let rawValue: String
        /// The decider of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A rule, which `ToolFate.rule` names.
        public static let rule = Decider(rawValue: "rule")
        /// An `include` applies, and nothing keeps the tool.
        public static let whitelist = Decider(rawValue: "whitelist")
        /// Nothing speaks against it.
        public static let `default` = Decider(rawValue: "default")
        /// A pin of the request.
        public static let pin = Decider(rawValue: "pin")
        /// Its score is too low.
        public static let minScore = Decider(rawValue: "min_score")
        /// The tokens did not suffice.
        public static let tokens = Decider(rawValue: "tokens")
        /// Enough tools were in.
        public static let maxTools = Decider(rawValue: "max_tools")
    }

    /// What a rule did.
    public struct RuleWork: Hashable, Sendable, Codable {
        /// The rule's name.
        public let name: String
        /// Its action.
        public let action: String
        /// Whether it applies to the intent.
        public let applies: Bool
        /// How many registered tools it matches; with 0 it is a rule to look at.
        public let matched: Int
        /// Of how many tools it decided visibility or form.
        public let decided: Int
    }
}
