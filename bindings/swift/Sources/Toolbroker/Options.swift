/// What a broker is, fixed when it is made. `profile` names a set of values; every other switch that is not nil wins over it.
public struct Options: Hashable, Sendable, Codable {
    /// The set of values; nil is `standard`.
    public var profile: Profile?
    /// The same server and name again.
    public var identity: Identity?
    /// A tool that cannot be read as one.
    public var badTools: BadTools?
    /// How a tool comes out.
    public var toolJSON: ToolJSON?
    /// How rules are weighed.
    public var decision: Decision?
    /// What an `include` that matches no registered tool does.
    public var emptyInclude: EmptyInclude?
    /// How intents are compared.
    public var intentNames: IntentNames?
    /// The pattern language.
    public var patterns: Patterns?
    /// How rule texts are read.
    public var ruleReading: RuleReading?
    /// Where the phrases of intents are found.
    public var phrases: Phrases?
    /// What the hints of a request do.
    public var hints: RequestHints?
    /// What a message brings where no intent is given.
    public var messageIntent: MessageIntent?
    /// The order of a selection whose request has none.
    public var order: Order?
    /// What the budget drops.
    public var budget: BudgetDrops?
    /// What a selection holds.
    public var answer: Answer?
    /// What the enricher is asked about.
    public var enricherAsks: EnricherAsks?
    /// Whether the enricher is asked about all tools at once, or about one a call.
    public var enricherBatch: Bool?
    /// Weights of the score by name, each from 0 to 1,000; those that are absent stay. `Info.ranking` has names and defaults.
    public var ranking: [String: Double]?
    /// Which limits hold.
    public var limits: Limits?

    /// Options of a profile, without further switches.
    public init(profile: Profile? = nil) { self.profile = profile }

    private enum CodingKeys: String, CodingKey {
        case profile
        case identity
        case badTools = "bad_tools"
        case toolJSON = "tool_json"
        case decision
        case emptyInclude = "empty_include"
        case intentNames = "intent_names"
        case patterns
        case ruleReading = "rule_reading"
        case phrases
        case hints
        case messageIntent = "message_intent"
        case order
        case budget
        case answer
        case enricherAsks = "enricher_asks"
        case enricherBatch = "enricher_batch"
        case ranking
        case limits
    }

    /// The same server and name again.
    public enum Identity: String, Sendable, Codable {
        /// It replaces the first in place.
        case replace
        /// It stands beside the first.
        case append
    }

    /// A tool that cannot be read as one.
    public enum BadTools: String, Sendable, Codable {
        /// It is refused by name.
        case refuse
        /// It is taken as far as it can be read.
        case accept
    }

    /// How a tool comes out.
    public enum ToolJSON: String, Sendable, Codable {
        /// As it came in.
        case kept
        /// As Go writes the six known keys.
        case go
    }

    /// How rules are weighed.
    public enum Decision: String, Sendable, Codable {
        /// The highest priority decides.
        case priority
        /// An `exclude` always hides.
        case excludeWins = "exclude_wins"
    }

    /// What an `include` that matches no registered tool does.
    public enum EmptyInclude: String, Sendable, Codable {
        /// It does not switch the whitelist on.
        case open
        /// It does.
        case closed
    }

    /// How intents are compared.
    public enum IntentNames: String, Sendable, Codable {
        /// `run-build` meets `run_build`.
        case folded
        /// A name meets only itself.
        case exact
    }

    /// The pattern language.
    public enum Patterns: String, Sendable, Codable {
        /// `*` is any run of characters of a name.
        case names
        /// As Go's `path.Match`.
        case path
    }

    /// How rule texts are read.
    public enum RuleReading: String, Sendable, Codable {
        /// Every fault is an error with its place.
        case strict
        /// As Go reads them.
        case go
    }

    /// Where the phrases of intents are found.
    public enum Phrases: String, Sendable, Codable {
        /// As whole words.
        case words
        /// Anywhere in the lower-cased message.
        case substring
    }

    /// What the hints of a request do.
    public enum RequestHints: String, Sendable, Codable {
        /// They raise what they name.
        case raise
        /// Nothing.
        case ignore
    }

    /// What a message brings where no intent is given.
    public enum MessageIntent: String, Sendable, Codable {
        /// The best intent found.
        case best
        /// Every intent found.
        case all
        /// None.
        case none
    }

    /// What the budget drops.
    public enum BudgetDrops: String, Sendable, Codable {
        /// What does not fit, in the order of rank.
        case fill
        /// From the end of the list, until the rest fits.
        case fromEnd = "from_end"
    }

    /// What a selection holds.
    public enum Answer: String, Sendable, Codable {
        /// All keys.
        case full
        /// The six of the replaced package, and the explanation when asked for.
        case go
    }

    /// What the enricher is asked about.
    public enum EnricherAsks: String, Sendable, Codable {
        /// Servers and names.
        case pairs
        /// Names alone.
        case names
    }

    /// Which limits hold.
    public enum Limits: String, Sendable, Codable {
        /// Every one.
        case all
        /// Only those that keep the process safe.
        case process
    }
}

/// A set of values for all options.
public enum Profile: String, Sendable, Codable {
    /// What this library makes of the matter.
    case standard
    /// Exactly as the Go package `broker` 0.2.
    case go02 = "go-0.2"
}
