import CToolbroker

/// The calls of the contract with types. Each is `call` with the request written and the answer read; what is thrown is said there.
extension Broker {
    // MARK: Tools

    /// Adds tools, or replaces those of the same server and name.
    ///
    /// - Parameters:
    ///   - tools: JSON as it came: what a server answered to `tools/list`, its `tools`, one tool, or a list in the nested chat form.
    ///   - server: the server of the tools that name none.
    /// - Throws: `invalidJSON`, `invalidTool` where there is no list of tools, `tooLarge`, `tooDeep`, `closed`. A single bad tool is refused in the report.
    @discardableResult
    public func addTools(_ tools: String, server: String = "") throws(ToolbrokerError) -> ToolsReport {
        try typed("add_tools", ["server": server], tools: tools)
    }

    /// Adds tools, or replaces those of the same server and name.
    ///
    /// - Parameters:
    ///   - tools: the tools.
    ///   - server: the server of the tools that name none.
    /// - Throws: `tooLarge`, `tooDeep`, `closed`. A single bad tool is refused in the report.
    @discardableResult
    public func addTools(_ tools: [Tool], server: String = "") throws(ToolbrokerError) -> ToolsReport {
        try addTools(Broker.list(tools), server: server)
    }

    /// Makes the tools of a server exactly these, in one step.
    ///
    /// - Parameters:
    ///   - tools: JSON as for `addTools`; a tool that names another server is refused.
    ///   - server: the server.
    /// - Throws: as `addTools`.
    @discardableResult
    public func replaceTools(_ tools: String, server: String) throws(ToolbrokerError) -> ToolsReport {
        try typed("replace_tools", ["server": server], tools: tools)
    }

    /// Makes the tools of a server exactly these, in one step.
    ///
    /// - Parameters:
    ///   - tools: the tools; one that names another server is refused.
    ///   - server: the server.
    /// - Throws: as `addTools`.
    @discardableResult
    public func replaceTools(_ tools: [Tool], server: String) throws(ToolbrokerError) -> ToolsReport {
        try replaceTools(Broker.list(tools), server: server)
    }

    /// Removes all tools of a server.
    ///
    /// - Throws: `closed`.
    @discardableResult
    public func removeTools(server: String) throws(ToolbrokerError) -> ToolsReport {
        try typed("remove_tools", ["server": server])
    }

    /// Removes single tools. One that is not registered is a warning.
    ///
    /// - Throws: `closed`.
    @discardableResult
    public func removeTools(_ tools: [ToolID]) throws(ToolbrokerError) -> ToolsReport {
        try typed("remove_tools", ["tools": tools])
    }

    /// All registered tools in short, or those of one server.
    ///
    /// - Throws: `closed`.
    public func allTools(server: String? = nil) throws(ToolbrokerError) -> [ToolSummary] {
        try typed("all_tools", ["server": server])
    }

    /// All registered tools whole, or those of one server.
    ///
    /// - Throws: `closed`.
    public func fullTools(server: String? = nil) throws(ToolbrokerError) -> [Tool] {
        try typed("all_tools", ["server": server, "detail": "full"], answersTools: true)
    }

    // MARK: Rules and intents

    /// Puts rules in force in place of the old ones, which stay when this fails.
    ///
    /// - Returns: how many rules there are now.
    /// - Throws: `invalidRule` with all faults, `invalidYAML`, `invalidJSON`, `io`, `tooLarge`, `tooDeep`, `closed`.
    @discardableResult
    public func loadRules(_ source: RuleSource) throws(ToolbrokerError) -> Int {
        let answer: RuleCount = try typed("load_rules", source)
        return answer.rules
    }

    /// The rules in force.
    ///
    /// - Throws: `closed`.
    public func allRules() throws(ToolbrokerError) -> [Rule] {
        try typed("all_rules", Nothing())
    }

    /// Puts phrases into the table of intents.
    ///
    /// - Parameters:
    ///   - intents: the phrases of each intent by its name.
    ///   - mode: whether the table is extended or replaced.
    /// - Returns: how many intents and phrases the table holds now.
    /// - Throws: `invalidIntents`, `tooLarge`, `closed`.
    @discardableResult
    public func loadIntents(_ intents: [String: [String]], mode: IntentMode = .extend) throws(ToolbrokerError) -> IntentCounts {
        try typed("load_intents", IntentsRequest(intents: intents, mode: mode))
    }

    /// The intents that a message has, the surest first.
    ///
    /// - Throws: `tooLarge`, `closed`.
    public func detectIntent(_ message: String) throws(ToolbrokerError) -> [Intent] {
        try typed("detect_intent", ["message": message])
    }

    /// The words by which `scoreByIntent` scores.
    ///
    /// - Throws: `tooLarge`, `closed`.
    public func tokenize(_ intent: String) throws(ToolbrokerError) -> [String] {
        try typed("tokenize", ["intent": intent])
    }

    // MARK: Selections

    /// Decides which tools the model sees for one turn, in which order and form.
    ///
    /// - Throws: `invalidRequest`, `tooLarge`; `stopped` where the enricher or the embedder threw `CancellationError`; `closed`.
    public func select(_ request: SelectRequest = SelectRequest()) throws(ToolbrokerError) -> Selection {
        try typed("select", request, answersTools: true)
    }

    /// Ranks the registered tools by how well they fit a message. Rules, pins and budget have no say.
    ///
    /// - Throws: `invalidRequest`, `tooLarge`; `stopped` where the embedder threw `CancellationError`; `closed`.
    public func rank(_ request: RankRequest) throws(ToolbrokerError) -> Ranking {
        try typed("rank", request)
    }

    /// Makes the vectors of the registered tools that have none yet, so that no call that ranks has to.
    ///
    /// - Returns: how many tools got one; 0 without an embedder.
    /// - Throws: `callback` where the embedder threw or its answer does not fit, `stopped` where it threw `CancellationError`; `closed`. What was made
    ///   before is kept.
    @discardableResult
    public func embedTools() throws(ToolbrokerError) -> Int {
        let answer: EmbeddedCount = try typed("embed_tools", Nothing())
        return answer.embedded
    }

    /// The tools that hold the keywords, the best first.
    ///
    /// - Parameters:
    ///   - keywords: the keywords, in lower case.
    ///   - maxResults: how many at most; 0 and less is no limit.
    ///   - tools: the tools to look at; nil is all registered ones.
    /// - Throws: `tooLarge`, `closed`.
    public func scoreByKeywords(_ keywords: [String], maxResults: Int = 0, among tools: [Tool]? = nil) throws(ToolbrokerError) -> [Tool] {
        try typed("score_by_keywords", KeywordsRequest(keywords: keywords, maxResults: maxResults), tools: tools.map(Broker.list), answersTools: true)
    }

    /// The tools that hold the words of an intent, the best first.
    ///
    /// - Parameters:
    ///   - intent: what is intended, in words.
    ///   - maxResults: how many at most; 0 and less is no limit.
    ///   - tools: the tools to look at; nil is all registered ones.
    /// - Throws: `tooLarge`, `closed`.
    public func scoreByIntent(_ intent: String, maxResults: Int = 0, among tools: [Tool]? = nil) throws(ToolbrokerError) -> [Tool] {
        try typed("score_by_intent", IntentRequest(intent: intent, maxResults: maxResults), tools: tools.map(Broker.list), answersTools: true)
    }

    /// The tools of these names, in the order asked.
    ///
    /// - Parameters:
    ///   - names: names or `server/name`.
    ///   - tools: the tools to look at; nil is all registered ones.
    /// - Throws: `tooLarge`, `closed`.
    public func findByNames(_ names: [String], among tools: [Tool]? = nil) throws(ToolbrokerError) -> [Tool] {
        try typed("find_by_names", ["names": names], tools: tools.map(Broker.list), answersTools: true)
    }

    /// The estimate for tools, in tokens.
    ///
    /// - Parameter tools: the tools; nil is all registered ones.
    /// - Throws: `tooLarge`, `closed`.
    public func estimate(_ tools: [Tool]? = nil) throws(ToolbrokerError) -> Int {
        try typed("estimate", Nothing(), tools: tools.map(Broker.list))
    }

    /// The tools that stay when the last are dropped until the rest fits. The first always stays.
    ///
    /// - Parameters:
    ///   - tools: the tools; nil is all registered ones.
    ///   - budget: tokens.
    /// - Throws: `tooLarge`, `closed`.
    public func prune(_ tools: [Tool]? = nil, budget: Int) throws(ToolbrokerError) -> [Tool] {
        try typed("prune", ["budget": budget], tools: tools.map(Broker.list), answersTools: true)
    }

    // MARK: Override block

    /// The Markdown block of guidance on tools, for the system prompt; empty where there is none. The enricher is asked.
    ///
    /// - Throws: `callback` where the enricher threw, `stopped` where that was `CancellationError`; `tooLarge`, `closed`.
    public func overrides(_ tools: [ToolID]) throws(ToolbrokerError) -> String {
        let answer: Block = try typed("overrides", ["tools": tools])
        return answer.block
    }

    /// The same with the hints at hand, one for each tool in order, nil where there are none. No enricher is asked.
    ///
    /// - Throws: `invalidRequest` where there are more or fewer hints than tools; `tooLarge`, `closed`.
    public func overrides(_ tools: [ToolID], hints: [Hints?]) throws(ToolbrokerError) -> String {
        let answer: Block = try typed("overrides", HintsRequest(tools: tools, hints: hints))
        return answer.block
    }

    // MARK: Without a broker

    /// Reads rules without putting them in force.
    ///
    /// - Parameters:
    ///   - source: where they come from.
    ///   - profile: how they are read; nil is `standard`.
    /// - Returns: the rules as written back.
    /// - Throws: `invalidRule` with all faults, `invalidYAML`, `invalidJSON`, `io`, `tooLarge`, `tooDeep`, `abiMismatch`.
    public static func readRules(_ source: RuleSource, profile: Profile? = nil) throws(ToolbrokerError) -> [Rule] {
        try JSON.read(try call("read_rules", try JSON.text(of: ReadRequest(source: source, profile: profile))))
    }

    /// Reads the text of a tool's hints.
    ///
    /// - Throws: `invalidHints`, `tooLarge`, `tooDeep`, `abiMismatch`.
    public static func readHints(_ text: String) throws(ToolbrokerError) -> Hints {
        try JSON.read(try call("read_hints", try JSON.text(of: ["text": text])))
    }

    /// The built-in example rules.
    ///
    /// - Parameter profile: the profile they are for; nil is `standard`.
    /// - Throws: `abiMismatch`.
    public static func defaultRules(profile: Profile? = nil) throws(ToolbrokerError) -> [Rule] {
        try JSON.read(try call("default_rules", try JSON.text(of: ["profile": profile])))
    }

    /// Version, ABI number, profiles, limits and constants of the library.
    ///
    /// - Throws: `abiMismatch`.
    public static func info() throws(ToolbrokerError) -> Info {
        try JSON.read(try call("info"))
    }

    /// The version of the library, such as `0.1.0`.
    public static var version: String { String(cString: tb_version()) }

    // MARK: Requests and answers

    /// Writes a request, with the text of its tools as it is, and reads the answer.
    private func typed<Answer: Decodable>(
        _ name: String, _ request: some Encodable, tools: String? = nil, answersTools: Bool = false
    ) throws(ToolbrokerError) -> Answer {
        let answer = try call(name, try Broker.join(try JSON.text(of: request), tools))
        return try JSON.read(answer, tools: answersTools ? JSONText(answer).tools() : [])
    }

    private static func join(_ request: String, _ tools: String?) throws(ToolbrokerError) -> String {
        guard let tools else { return request }
        guard JSONText(tools).staysOneValue else {
            throw ToolbrokerError(code: .invalidJSON, status: TB_ERR_INVALID_JSON, message: "the tools are not one JSON value")
        }
        return "\(request.dropLast())\(request == "{}" ? "" : ",")\"tools\":\(tools)}"
    }

    private static func list(_ tools: [Tool]) -> String { "[\(tools.map(\.json).joined(separator: ","))]" }

    private struct Nothing: Encodable {}
    private struct RuleCount: Decodable { let rules: Int }
    private struct EmbeddedCount: Decodable { let embedded: Int }
    private struct Block: Decodable { let block: String }

    private struct IntentsRequest: Encodable {
        let intents: [String: [String]]
        let mode: IntentMode
    }

    private struct HintsRequest: Encodable {
        let tools: [ToolID]
        let hints: [Hints?]
    }

    private struct KeywordsRequest: Encodable {
        let keywords: [String]
        let maxResults: Int

        enum CodingKeys: String, CodingKey {
            case keywords
            case maxResults = "max_results"
        }
    }

    private struct IntentRequest: Encodable {
        let intent: String
        let maxResults: Int

        enum CodingKeys: String, CodingKey {
            case intent
            case maxResults = "max_results"
        }
    }

    private struct ReadRequest: Encodable {
        let source: RuleSource
        let profile: Profile?

        func encode(to encoder: any Encoder) throws {
            try source.encode(to: encoder)
            var keys = encoder.container(keyedBy: CodingKeys.self)
            try keys.encodeIfPresent(profile, forKey: .profile)
        }

        enum CodingKeys: String, CodingKey { case profile }
    }
}

/// What `loadIntents` does with the table that is there.
public enum IntentMode: String, Sendable, Codable {
    /// Its intents stay, and gain these phrases.
    case extend
    /// It holds these intents alone.
    case replace
}

/// What the table of intents holds.
public struct IntentCounts: Hashable, Sendable, Codable {
    /// How many intents.
    public let intents: Int
    /// How many phrases.
    public let phrases: Int
}
