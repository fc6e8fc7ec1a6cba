/// The request for a ranking. Everything is optional: without message and hints nothing is asked for, and the ranking is empty.
public struct RankRequest: Hashable, Sendable, Codable {
    /// What the user wrote.
    public var message: String?
    /// Words, tool names and tags to raise.
    public var hints: [String]?
    /// At most so many tools; nil is 20.
    public var top: Int?
    /// From 0 to 1: tools with less are left out.
    public var minScore: Double?
    /// The message's language; nil has it guessed.
    public var language: Language?
    /// Whether the answer tells what each tool was found by.
    public var explain: Bool?
    /// Whether the answer has `Ranked.index` in place of server and name.
    public var indices: Bool?

    /// A request; nil is absent.
    public init(
        message: String? = nil, hints: [String]? = nil, top: Int? = nil, minScore: Double? = nil, language: Language? = nil, explain: Bool? = nil,
        indices: Bool? = nil
    ) {
        self.message = message
        self.hints = hints
        self.top = top
        self.minScore = minScore
        self.language = language
        self.explain = explain
        self.indices = indices
    }

    private enum CodingKeys: String, CodingKey {
        case message, hints, top, language, explain, indices
        case minScore = "min_score"
    }
}

/// The language of a message: one of the names below, or one that a newer library brings.
public struct Language: RawRepresentable, Hashable, Sendable, Codable {
    /// The code, such as `en`.
    public let rawValue: String
    /// The language of that code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// English.
    public static let english = Language(rawValue: "en")
    /// German.
    public static let german = Language(rawValue: "de")
    /// French.
    public static let french = Language(rawValue: "fr")
    /// Spanish.
    public static let spanish = Language(rawValue: "es")
    /// Portuguese.
    public static let portuguese = Language(rawValue: "pt")
    /// Italian.
    public static let italian = Language(rawValue: "it")
    /// Dutch.
    public static let dutch = Language(rawValue: "nl")
    /// Russian.
    public static let russian = Language(rawValue: "ru")
    /// Japanese.
    public static let japanese = Language(rawValue: "ja")
    /// Chinese.
    public static let chinese = Language(rawValue: "zh")
    /// Korean.
    public static let korean = Language(rawValue: "ko")
    /// Hindi.
    public static let hindi = Language(rawValue: "hi")
}

/// The tools that have anything of what is asked for, the best first.
public struct Ranking: Hashable, Sendable, Codable {
    /// The tools, by falling score, equal ones by server and name.
    public let tools: [Ranked]
    /// The language that the message was read in.
    public let language: Language
    /// What is to know of this ranking: `long_message`, `embedder_failed`.
    public let warnings: [Warning]?
}

/// A tool of a ranking.
public struct Ranked: Hashable, Sendable, Codable {
    /// The tool's server; empty where it has none, and where the request asked for places.
    public let server: String
    /// The tool's name; empty where the request asked for places.
    public let name: String
    /// Where the request asked for places: the tool's in the order of registration, from 0.
    public let index: Int?
    /// How well it fits, above 0 and up to 1; 0.5 is a tool that is as likely right as wrong.
    public let score: Double
    /// What it was found by, where that was asked for.
    public let terms: [TermHit]?

    /// Server and name.
    public var id: ToolID { ToolID(server: server, name: name) }

    /// Reads a tool of a ranking, named or by its place.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        server = try keys.decodeIfPresent(String.self, forKey: .server) ?? ""
        name = try keys.decodeIfPresent(String.self, forKey: .name) ?? ""
        index = try keys.decodeIfPresent(Int.self, forKey: .index)
        score = try keys.decode(Double.self, forKey: .score)
        terms = try keys.decodeIfPresent([TermHit].self, forKey: .terms)
    }
}

/// A word of the message that a tool has, or has something for.
public struct TermHit: Hashable, Sendable, Codable {
    /// The word, the neighbouring words, or the type of a path or address.
    public let term: String
    /// What the tool has in its place, where that is another.
    public let found: String?
    /// How it was found.
    public let by: Way
    /// Where it stands in the tool.
    public let fields: [Field]
    /// How much it counts.
    public let weight: Double
    /// What it adds to the score, before the shares of name and message.
    public let score: Double

    /// How a word was found: one of the names below, or one that a newer library brings.
    public struct Way: RawRepresentable, Hashable, Sendable, Codable {
        /// The name.
        public let rawValue: String
        /// The way of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The word itself.
        public static let word = Way(rawValue: "word")
        /// The word without its ending.
        public static let stem = Way(rawValue: "stem")
        /// Two neighbouring words, side by side in the tool too.
        public static let pair = Way(rawValue: "pair")
        /// A hint that is a tag.
        public static let tag = Way(rawValue: "tag")
        /// A word that means the same.
        public static let synonym = Way(rawValue: "synonym")
        /// A word of the same topic.
        public static let topic = Way(rawValue: "topic")
        /// What a path, an address or a file's ending calls for.
        public static let tokenType = Way(rawValue: "token_type")
    }

    /// A field of a tool: one of the names below, or one that a newer library brings.
    public struct Field: RawRepresentable, Hashable, Sendable, Codable {
        /// The name.
        public let rawValue: String
        /// The field of that name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The tool's name.
        public static let name = Field(rawValue: "name")
        /// Its title.
        public static let title = Field(rawValue: "title")
        /// The first sentence of its description.
        public static let firstSentence = Field(rawValue: "first_sentence")
        /// The rest of its description.
        public static let description = Field(rawValue: "description")
        /// The name of a parameter.
        public static let parameterName = Field(rawValue: "parameter_name")
        /// The description of a parameter.
        public static let parameterDescription = Field(rawValue: "parameter_description")
        /// A value of a parameter.
        public static let parameterValue = Field(rawValue: "parameter_value")
        /// Its server.
        public static let server = Field(rawValue: "server")
        /// One of its tags.
        public static let tag = Field(rawValue: "tag")
    }
}
