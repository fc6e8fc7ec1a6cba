/// What identifies a tool: its server, empty where it has none, and its name.
public struct ToolID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The server, or the empty text.
    public let server: String
    /// The tool's name.
    public let name: String

    /// A tool of a server, or of none.
    public init(server: String = "", name: String) {
        self.server = server
        self.name = name
    }

    /// Reads `{"server", "name"}`; an absent server is the empty text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        server = try container.decodeIfPresent(String.self, forKey: .server) ?? ""
        name = try container.decode(String.self, forKey: .name)
    }

    /// `server/name`, or the bare name.
    public var description: String { server.isEmpty ? name : "\(server)/\(name)" }
}

/// A tool as the library keeps it: its own JSON text, and what can be read from it.
public struct Tool: Hashable, Sendable, Codable {
    /// The tool's JSON. What the library answers is byte for byte what was handed in, with `server` as last key where it was added: what goes to a provider
    /// is best made from this text, since it keeps the order of keys and the way numbers are written.
    public let json: String
    /// The tool's name; empty where it has none.
    public let name: String
    /// The server it belongs to, or the empty text.
    public let server: String
    /// A name to show people.
    public let title: String?
    /// What it does.
    public let description: String?
    /// Its tags.
    public let tags: [String]
    /// What it costs.
    public let costTier: String?

    /// Every key of the tool, also those that this package does not know. Read anew each time.
    public var fields: [String: JSONValue] { (try? JSON.read(json)) ?? [:] }
    /// The schema of its arguments. Read anew each time.
    public var inputSchema: JSONValue? { fields["inputSchema"] }
    /// What it does to the world. Read anew each time; what is neither true nor false is absent.
    public var annotations: Annotations? { fields["annotations"].map(Annotations.init) }
    /// Server and name.
    public var id: ToolID { ToolID(server: server, name: name) }

    /// A tool from its JSON, kept as it is.
    ///
    /// - Throws: `invalidTool` where the text is not one JSON object.
    public init(json: String) throws(ToolbrokerError) {
        let tools: [Tool]? = try? JSON.read("[\(json)]", tools: [json])
        guard let tools, tools.count == 1 else {
            throw ToolbrokerError(code: .invalidTool, status: -11, message: "a tool is one JSON object")
        }
        self = tools[0]
    }

    /// A tool from its parts; keys are written in alphabetical order.
    ///
    /// - Parameter other: further keys, such as `outputSchema`; they win over the other parameters.
    /// - Throws: `invalidRequest` where a number is infinite or not a number.
    public init(
        name: String, server: String? = nil, title: String? = nil, description: String? = nil, inputSchema: JSONValue? = nil,
        annotations: Annotations? = nil, tags: [String]? = nil, costTier: String? = nil, other: [String: JSONValue] = [:]
    ) throws(ToolbrokerError) {
        var fields: [String: JSONValue] = ["name": .string(name)]
        fields["server"] = server.map(JSONValue.string)
        fields["title"] = title.map(JSONValue.string)
        fields["description"] = description.map(JSONValue.string)
        fields["inputSchema"] = inputSchema
        fields["annotations"] = annotations?.value
        fields["tags"] = tags.map { .array($0.map(JSONValue.string)) }
        fields["cost_tier"] = costTier.map(JSONValue.string)
        try self.init(json: try JSON.text(of: fields.merging(other) { _, other in other }))
    }

    /// Reads a tool, passing over a known key whose value has another type; `fields` has that too.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        name = (try? keys.decode(String.self, forKey: .name)) ?? ""
        server = (try? keys.decode(String.self, forKey: .server)) ?? ""
        title = try? keys.decode(String.self, forKey: .title)
        description = try? keys.decode(String.self, forKey: .description)
        tags = (try? keys.decode([String].self, forKey: .tags)) ?? []
        costTier = try? keys.decode(String.self, forKey: .costTier)
        json = try Tool.text(of: decoder)
    }

    /// The text of the tool that is being read: from the list that it stands in, or written anew.
    private static func text(of decoder: any Decoder) throws -> String {
        if let texts = decoder.userInfo[texts] as? [String], let place = decoder.codingPath.last?.intValue, texts.indices.contains(place) {
            return texts[place]
        }
        return try JSON.text(of: try [String: JSONValue](from: decoder))
    }

    /// Writes every key of the tool, as the encoder orders them.
    public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

    /// Where a decoder finds the texts of the tools in the list that it reads.
    static let texts = CodingUserInfoKey(rawValue: "toolbroker.texts")!

    private enum CodingKeys: String, CodingKey {
        case name, server, title, description, tags
        case costTier = "cost_tier"
    }
}

/// What a tool does to the world, as MCP has it. In a rule's match each hint that is set must have that value.
public struct Annotations: Hashable, Sendable, Codable {
    /// It changes nothing.
    public var readOnlyHint: Bool?
    /// It may destroy something.
    public var destructiveHint: Bool?
    /// Calling it twice does no more than calling it once.
    public var idempotentHint: Bool?
    /// It meets things outside of its server.
    public var openWorldHint: Bool?

    /// Hints; nil is absent.
    public init(readOnlyHint: Bool? = nil, destructiveHint: Bool? = nil, idempotentHint: Bool? = nil, openWorldHint: Bool? = nil) {
        self.readOnlyHint = readOnlyHint
        self.destructiveHint = destructiveHint
        self.idempotentHint = idempotentHint
        self.openWorldHint = openWorldHint
    }

    init(_ value: JSONValue) {
        let hint = { (key: String) -> Bool? in if case .bool(let value)? = value[key] { value } else { nil } }
        self.init(
            readOnlyHint: hint("readOnlyHint"), destructiveHint: hint("destructiveHint"), idempotentHint: hint("idempotentHint"),
            openWorldHint: hint("openWorldHint"))
    }

    var value: JSONValue {
        let hints = [
            "readOnlyHint": readOnlyHint, "destructiveHint": destructiveHint, "idempotentHint": idempotentHint, "openWorldHint": openWorldHint,
        ]
        return .object(hints.compactMapValues { $0.map(JSONValue.bool) })
    }
}

/// A tool in short, as `allTools` lists it.
public struct ToolSummary: Hashable, Sendable, Codable {
    /// The tool's name.
    public let name: String
    /// What it does.
    public let description: String?
    /// The server it belongs to; nil where it has none.
    public let server: String?
    /// Its tags, where there are any.
    public let tags: [String]?

    /// Server and name.
    public var id: ToolID { ToolID(server: server ?? "", name: name) }
}
