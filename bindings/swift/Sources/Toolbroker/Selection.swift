/// The request for one turn. Everything is optional: without any of it, all tools that the rules show come by server and name.
public struct SelectRequest: Hashable, Sendable, Codable {
    /// What the user wrote; finds the intent where none is given, and orders the tools.
    public var message: String?
    /// The intent; wins over what the message says, also where it is empty.
    public var intent: String?
    /// Words, tool names and tags to raise.
    public var hints: [String]?
    /// `server/name` or names: ahead of rank, never cut by budget or score.
    public var pins: [String]?
    /// From 0 to 1: tools with less are cut. Needs a message or hints.
    public var minScore: Double?
    /// The order; nil is the broker's.
    public var order: Order?
    /// The message's language; nil has it guessed.
    public var language: Language?
    /// How much may be shown; nil is no limit.
    public var budget: Budget?
    /// The form of the tools; only `mcp`.
    public var format: String?
    /// Whether the answer tells the fate of every tool.
    public var explain: Bool?
    /// Whether the answer has `Selection.indices` in place of the tools.
    public var indices: Bool?

    /// A request; nil is absent.
    public init(
        message: String? = nil, intent: String? = nil, hints: [String]? = nil, pins: [String]? = nil, minScore: Double? = nil, order: Order? = nil,
        language: Language? = nil, budget: Budget? = nil, format: String? = nil, explain: Bool? = nil, indices: Bool? = nil
    ) {
        self.message = message
        self.intent = intent
        self.hints = hints
        self.pins = pins
        self.minScore = minScore
        self.order = order
        self.language = language
        self.budget = budget
        self.format = format
        self.explain = explain
        self.indices = indices
    }

    private enum CodingKeys: String, CodingKey {
        case message, intent, hints, pins, order, language, budget, format, explain, indices
        case minScore = "min_score"
    }
}

/// The order of a selection. Pins come first in both.
public enum Order: String, Sendable, Codable {
    /// The best fitting first, equal ones by server and name.
    case rank
    /// As the tools were registered.
    case registered
}

/// How much may be shown. What is nil does not limit.
public struct Budget: Hashable, Sendable, Codable {
    /// Tokens to spend.
    public var tokens: Int?
    /// The share of the context window, 0 to 1; 0.2 where only the window is given.
    public var share: Double?
    /// The context window in tokens; 200,000 where only the share is given.
    public var window: Int?
    /// How many tools.
    public var maxTools: Int?

    /// A budget; give either tokens, or share and window.
    public init(tokens: Int? = nil, share: Double? = nil, window: Int? = nil, maxTools: Int? = nil) {
        self.tokens = tokens
        self.share = share
        self.window = window
        self.maxTools = maxTools
    }

    private enum CodingKeys: String, CodingKey {
        case tokens, share, window
        case maxTools = "max_tools"
    }
}

/// The answer for one turn. With the option `answer: .go` only the first six are there, the others nil.
public struct Selection: Sendable, Equatable {
    /// The tools, in order.
    public let tools: [Tool]
    /// In place of the tools, where the request asked for them: their places in the order of registration, from 0.
    public let indices: [Int]
    /// How many tools were selected.
    public let count: Int
    /// How many tools are registered.
    public let total: Int
    /// The intent that was used, empty if none; several are joined by a comma and a space.
    public let intent: String
    /// Why, in one line.
    public let rationale: String
    /// The Markdown block of guidance; nil where there is no enricher or it found nothing.
    public let overrideBlock: String?
    /// The intents that were found in the message.
    public let intents: [Intent]?
    /// The estimate for the tools as shown, in tokens.
    public let tokens: Int?
    /// How many tools the rules hid.
    public let hidden: Int?
    /// How many tools each limit cut.
    public let cut: Cut?
    /// The tools that are shown in short.
    public let summarized: [ToolID]?
    /// What is to know of this selection.
    public let warnings: [Warning]?
    /// The fate of every tool, where it was asked for.
    public let explanation: Explanation?

    /// How many tools each limit cut.
    public struct Cut: Hashable, Sendable, Codable {
        /// By `SelectRequest.minScore`.
        public let minScore: Int
        /// By the budget's tokens.
        public let tokens: Int
        /// By the budget's number of tools.
        public let maxTools: Int

        private enum CodingKeys: String, CodingKey {
            case tokens
            case minScore = "min_score"
            case maxTools = "max_tools"
        }
    }
}

extension Selection: Decodable {
    /// Reads the answer of `select`.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        // Places are numbers and tools are objects; an empty list is both.
        let places = try? keys.decode([Int].self, forKey: .tools)
        tools = places == nil ? try keys.decodeIfPresent([Tool].self, forKey: .tools) ?? [] : []
        indices = places ?? []
        count = try keys.decode(Int.self, forKey: .count)
        total = try keys.decode(Int.self, forKey: .total)
        intent = try keys.decode(String.self, forKey: .intent)
        rationale = try keys.decodeIfPresent(String.self, forKey: .rationale) ?? ""
        overrideBlock = try keys.decodeIfPresent(String.self, forKey: .overrideBlock)
        intents = try keys.decodeIfPresent([Intent].self, forKey: .intents)
        tokens = try keys.decodeIfPresent(Int.self, forKey: .tokens)
        hidden = try keys.decodeIfPresent(Int.self, forKey: .hidden)
        cut = try keys.decodeIfPresent(Cut.self, forKey: .cut)
        summarized = try keys.decodeIfPresent([ToolID].self, forKey: .summarized)
        warnings = try keys.decodeIfPresent([Warning].self, forKey: .warnings)
        explanation = try keys.decodeIfPresent(Explanation.self, forKey: .explanation)
    }

    private enum CodingKeys: String, CodingKey {
        case tools, count, total, intent, rationale, intents, tokens, hidden, cut, summarized, warnings, explanation
        case overrideBlock = "override_block"
    }
}

/// A purpose that was found in a message.
public struct Intent: Hashable, Sendable, Codable {
    /// Its name in the table of intents.
    public let name: String
    /// How sure it is, from 0 to 1.
    public let confidence: Double
    /// The phrases that were found, in table order.
    public let keywords: [String]
}
