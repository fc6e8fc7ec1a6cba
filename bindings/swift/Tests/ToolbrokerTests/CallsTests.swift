import Foundation
import Toolbroker
import XCTest

/// What each typed call asks and gives.
final class CallsTests: XCTestCase {
    private let make = [ToolID(server: "make", name: "build_all"), ToolID(server: "make", name: "clean")]

    func testAddToolsReportsEachTool() throws {
        let broker = try Broker()
        let report = try broker.addTools(#"[{"name":"a"},{"name":"b","tags":5},{"name":"a","server":"other"},{"name":"a","title":"again"}]"#, server: "s")
        XCTAssertEqual(report.added, [ToolID(server: "s", name: "a"), ToolID(server: "other", name: "a")])
        XCTAssertEqual(report.refused.map(\.index), [1])
        XCTAssertEqual(report.refused.map(\.name), ["b"])
        XCTAssertEqual(report.refused.map(\.code), [.invalidTool])
        XCTAssertEqual(report.refused.map(\.path), ["tags"])
        XCTAssertEqual(report.warnings?.map(\.code), ["given_twice"])
        XCTAssertEqual(report.total, 2)
        XCTAssertEqual(try broker.addTools(#"{"name":"a"}"#, server: "s").replaced, [ToolID(server: "s", name: "a")])
    }

    func testAToolComesOutByteForByte() throws {
        let text = #"{"name":"t", "inputSchema": {"z":1.50,"a":18446744073709551615,"b":1e400,"z2":[",]}\"",{}]},"x":null }"#
        let broker = try Broker()
        try broker.addTools("[\(text),\(text)]")
        try broker.addTools([try Tool(json: text)], server: "s")
        let tools = try broker.select().tools
        XCTAssertEqual(tools.map(\.json), [text, text.dropLast() + #","server":"s"}"#])
        XCTAssertEqual(tools.map(\.id), [ToolID(name: "t"), ToolID(server: "s", name: "t")])
        XCTAssertEqual(try broker.fullTools(server: "s").map(\.json), [tools[1].json])
    }

    func testAToolIsReadAndItsOtherKeysKept() throws {
        let tool = try Tool(
            json: #"""
                {"name":"t","server":"s","title":"T","description":"Does.","tags":["x"],"cost_tier":"low","inputSchema":{"type":"object","max":3,"min":0.5},
                "annotations":{"readOnlyHint":true,"openWorldHint":"?"},"_meta":{"deep":[null,true]}}
                """#)
        XCTAssertEqual(tool.name, "t")
        XCTAssertEqual(tool.server, "s")
        XCTAssertEqual(tool.title, "T")
        XCTAssertEqual(tool.description, "Does.")
        XCTAssertEqual(tool.tags, ["x"])
        XCTAssertEqual(tool.costTier, "low")
        XCTAssertEqual(tool.inputSchema, ["type": "object", "max": 3, "min": 0.5])
        XCTAssertEqual(tool.annotations, Annotations(readOnlyHint: true))
        XCTAssertEqual(tool.fields["_meta"]?["deep"]?.items, [nil, true])
        XCTAssertEqual(tool.fields["name"]?.text, "t")
        let again = try JSONDecoder().decode(Tool.self, from: try JSONEncoder().encode(tool))
        XCTAssertEqual(again.fields, tool.fields)
    }

    func testAToolIsMadeOfParts() throws {
        let tool = try Tool(
            name: "t", server: "s", title: "T", description: "Does.", inputSchema: ["type": "object"], annotations: Annotations(destructiveHint: false),
            tags: ["x"], costTier: "low", other: ["outputSchema": [:]])
        let text =
            #"{"annotations":{"destructiveHint":false},"cost_tier":"low","description":"Does.","inputSchema":{"type":"object"},"name":"t","#
            + #""outputSchema":{},"server":"s","tags":["x"],"title":"T"}"#
        XCTAssertEqual(tool.json, text)
        XCTAssertEqual(try errorOf(try Tool(name: "t", inputSchema: .number(.infinity))).code, .invalidRequest)
        XCTAssertEqual(try errorOf(try Tool(json: "[]")).code, .invalidTool)
        XCTAssertEqual(try errorOf(try Tool(json: #"{"name":"a"},{"name":"b"}"#)).code, .invalidTool)
    }

    func testReplaceToolsLeavesOtherServersAlone() throws {
        let broker = try brokerWithTools()
        try broker.addTools(#"{"name":"deploy"}"#, server: "ci")
        let report = try broker.replaceTools(#"[{"name":"clean"},{"name":"lint"}]"#, server: "make")
        XCTAssertEqual(report.added, [ToolID(server: "make", name: "lint")])
        XCTAssertEqual(report.removed, [make[0]])
        XCTAssertEqual(report.total, 3)
        XCTAssertEqual(try broker.replaceTools([Tool](), server: "make").total, 1)
    }

    func testRemoveTools() throws {
        let broker = try brokerWithTools()
        let report = try broker.removeTools([make[1], ToolID(name: "gone")])
        XCTAssertEqual(report.removed, [make[1]])
        XCTAssertEqual(report.warnings?.map(\.code), ["unknown_tool"])
        XCTAssertEqual(report.warnings?.map(\.name), ["gone"])
        XCTAssertEqual(try broker.removeTools(server: "make").removed, [make[0]])
    }

    func testAllToolsAreListedInShort() throws {
        let broker = try brokerWithTools()
        let all = try broker.allTools()
        XCTAssertEqual(all.map(\.id), make)
        XCTAssertEqual(all.map(\.description), ["Builds it.", ""])
        XCTAssertEqual(all.map(\.tags), [nil, ["tidy"]])
        XCTAssertEqual(try broker.allTools(server: "ci"), [])
    }

    func testRulesGoInAndComeBack() throws {
        let broker = try Broker()
        let rules = [
            Rule(
                name: "a", intent: "run-build",
                match: .init(
                    patterns: ["build_*"], tags: ["ci"], servers: ["make"], annotations: Annotations(readOnlyHint: true), ignoreCase: true,
                    not: .init(tags: ["beta"], not: .init(servers: ["x"]))),
                action: .include, priority: 10, emptyInclude: .closed),
            Rule(name: "b", match: .init(tags: ["x"]), action: .summarize),
        ]
        XCTAssertEqual(try broker.loadRules(.rules(rules)), 2)
        XCTAssertEqual(try broker.allRules(), rules)
        XCTAssertEqual(try broker.loadRules(.text(#"{"rules":[]}"#, format: .json)), 0)
        XCTAssertEqual(try broker.allRules(), [])
    }

    func testRulesAreReadFromAFile() throws {
        let path = NSTemporaryDirectory() + "toolbroker-\(UUID().uuidString).rules"
        try "rules: [{match: {tags: [x]}, action: {type: pin}}]".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let broker = try Broker()
        XCTAssertEqual(try broker.loadRules(.path(path, format: .yaml)), 1)
        XCTAssertEqual(try broker.allRules().map(\.action), [.pin])
        XCTAssertEqual(try errorOf(try broker.loadRules(.path(path + ".yaml"))).code, .io)
    }

    func testRulesAreReadWithoutABroker() throws {
        let source = RuleSource.text("rules: [{match: {pattern: x*, tags: [a]}, action: {type: other}}]", file: "r.yaml")
        XCTAssertEqual(try Broker.readRules(source, profile: .go02).map(\.action), [.init(type: "other")])
        let error = try errorOf(try Broker.readRules(source))
        XCTAssertEqual(error.code, .invalidRule)
        XCTAssertEqual(error.detail.place?.file, "r.yaml")
    }

    func testIntentsAreExtendedAndReplaced() throws {
        let broker = try Broker()
        let extended = try broker.loadIntents(["brew": ["make tea"]])
        XCTAssertEqual(extended.intents, 22)
        let found = try broker.detectIntent("please make tea")
        XCTAssertEqual(found.map(\.name), ["brew"])
        XCTAssertEqual(found.map(\.keywords), [["make tea"]])
        XCTAssertEqual(found.map(\.confidence), [1])
        let replaced = try broker.loadIntents(["brew": ["tea", "coffee"]], mode: .replace)
        XCTAssertEqual(replaced.intents, 1)
        XCTAssertEqual(replaced.phrases, 2)
    }

    func testASelectionHasAllKeys() throws {
        let broker = try brokerWithTools()
        try broker.addTools(#"[{"name":"lint"},{"name":"zip"},{"name":"sum","description":"One. Two."}]"#, server: "ci")
        try broker.loadRules(.text("rules: [{name: no zip, match: {patterns: [zip]}, action: {type: exclude}}, {match: {patterns: [sum]}, action: {type: summarize}}]"))
        let request = SelectRequest(
            message: "clean the build", hints: ["tidy"], pins: ["ci/sum", "nothing"], minScore: 0.1, order: .rank, budget: Budget(tokens: 4000, maxTools: 9),
            format: "mcp", explain: true)
        let selection = try broker.select(request)
        XCTAssertEqual(selection.tools.map(\.id.description), ["ci/sum", "make/clean", "make/build_all"])
        XCTAssertEqual(selection.count, 3)
        XCTAssertEqual(selection.total, 5)
        XCTAssertEqual(selection.intent, "")
        XCTAssertEqual(selection.intents, [])
        XCTAssertEqual(selection.rationale, "applied rules: exclude(no zip), summarize(rule 2)")
        XCTAssertEqual(selection.hidden, 1)
        XCTAssertEqual(selection.cut?.minScore, 1)
        XCTAssertEqual(selection.cut?.tokens, 0)
        XCTAssertEqual(selection.cut?.maxTools, 0)
        XCTAssertEqual(selection.summarized, [ToolID(server: "ci", name: "sum")])
        XCTAssertEqual(selection.warnings?.map(\.code), ["unknown_pin"])
        XCTAssertEqual(selection.overrideBlock, nil)
        let fates = try XCTUnwrap(selection.explanation).tools
        XCTAssertEqual(fates.map(\.fate), [.summarized, .shown, .shown, .cut, .hidden])
        XCTAssertEqual(fates.map(\.by), [.rule, .default, .default, .minScore, .rule])
        XCTAssertEqual(fates.map(\.pinned), [true, false, false, false, false])
        XCTAssertEqual(fates.last?.rule, "no zip")
        XCTAssertEqual(fates.reduce(0) { $0 + ($1.fate == .shown || $1.fate == .summarized ? $1.tokens! : 0) }, selection.tokens)
        XCTAssertEqual(selection.explanation?.rules.map(\.matched), [1, 1])
    }

    func testASelectionGivesPlaces() throws {
        let broker = try brokerWithTools()
        let selection = try broker.select(SelectRequest(message: "clean", indices: true))
        XCTAssertEqual(selection.indices, [1, 0])
        XCTAssertEqual(selection.tools, [])
        XCTAssertEqual(try broker.selectIndices(SelectRequest(message: "clean")), [1, 0])
        try broker.addTools("[\((0..<500).map { #"{"name":"t\#($0)"}"# }.joined(separator: ","))]", server: "many")
        XCTAssertEqual(try broker.selectIndices(SelectRequest(order: .registered)), Array(0..<502))
        XCTAssertEqual(try errorOf(try broker.selectIndices(SelectRequest(minScore: 2))).detail.place?.path, "min_score")
    }

    func testASelectionOfTheGoProfileHasSixKeys() throws {
        let broker = try Broker(Options(profile: .go02))
        let none = try broker.select()
        XCTAssertEqual(none.tools, [])
        try broker.addTools(#"[{"name":"a","extra":1}]"#)
        let selection = try broker.select()
        XCTAssertEqual(selection.tools.map(\.name), ["a"])
        XCTAssertNil(selection.tools[0].fields["extra"])
        XCTAssertNil(selection.tokens)
        XCTAssertNil(selection.cut)
    }

    func testDiscovery() throws {
        let broker = try brokerWithTools()
        let others = [try Tool(name: "lint_all"), try Tool(name: "lint_one", description: "lint for all")]
        XCTAssertEqual(try broker.scoreByKeywords(["build"]).map(\.name), ["build_all"])
        XCTAssertEqual(try broker.scoreByKeywords(["lint", "for"], among: others).map(\.name), ["lint_one", "lint_all"])
        XCTAssertEqual(try broker.scoreByKeywords(["lint"], maxResults: 1, among: others).count, 1)
        XCTAssertEqual(try broker.scoreByIntent("build things").map(\.name), ["build_all"])
        XCTAssertEqual(try broker.scoreByIntent("lint", maxResults: 1, among: others).map(\.name), ["lint_one"])
        XCTAssertEqual(try broker.tokenize("Build, the things!"), ["build", "things"])
        XCTAssertEqual(try broker.findByNames(["clean", "make/clean", "gone"]).map(\.id), [make[1], make[1]])
        XCTAssertEqual(try broker.findByNames(["lint_one"], among: others), [others[1]])
        XCTAssertEqual(try broker.estimate([others[0]]), others[0].json.utf8.count / 4)
        XCTAssertEqual(try broker.estimate([]), 0)
        XCTAssertEqual(try broker.prune(others, budget: 5), [others[0]])
        XCTAssertEqual(try broker.prune(budget: 1).map(\.id), [make[0]])
        XCTAssertGreaterThan(try broker.estimate(), 0)
    }

    func testHintsAreReadAndMakeABlock() throws {
        let hints = try Broker.readHints(#"{"preconditions":["p"],"anti_patterns":["a"],"chains_with":["c"],"output_shape":"o"}"#)
        XCTAssertEqual(hints, Hints(preconditions: ["p"], antiPatterns: ["a"], chainsWith: ["c"], outputShape: "o"))
        let broker = try Broker()
        let block = try broker.overrides(make, hints: [nil, hints])
        XCTAssertTrue(block.hasSuffix("\n\n- **clean**: o; anti-patterns: a; preconditions: p; chains with: c\n"), block)
        XCTAssertEqual(try errorOf(try broker.overrides(make, hints: [hints])).code, .invalidRequest)
        XCTAssertEqual(try errorOf(try Broker.readHints("[")).code, .invalidHints)
    }

    func testTheLibraryTellsWhatItIs() throws {
        let info = try Broker.info()
        XCTAssertEqual(info.version, Broker.version)
        XCTAssertEqual(info.abi, 1)
        XCTAssertEqual(info.profiles, ["standard", "go-0.2"])
        XCTAssertEqual(info.limits["depth"], 128)
        let languages: Set<Language> = [
            .english, .german, .french, .spanish, .portuguese, .italian, .dutch, .russian, .japanese, .chinese, .korean, .hindi,
        ]
        XCTAssertEqual(Set(info.languages), languages)
        XCTAssertNotNil(info.ranking["vector"])
        XCTAssertEqual(info.constants["default_token_budget_pct"], 0.2)
        XCTAssertGreaterThan(try Broker.defaultRules().count, 0)
        XCTAssertNotEqual(try Broker.defaultRules(profile: .go02), try Broker.defaultRules())
    }

    /// Every value of every switch is one that the library knows, under the name that it has there.
    func testEveryOptionIsKnownToTheLibrary() throws {
        var all: [Options] = [Options(profile: .standard), Options(profile: .go02)]
        func each<Value>(_ key: WritableKeyPath<Options, Value?>, _ values: Value...) {
            for value in values {
                var options = Options()
                options[keyPath: key] = value
                all.append(options)
            }
        }
        each(\.identity, .replace, .append)
        each(\.badTools, .refuse, .accept)
        each(\.toolJSON, .kept, .go)
        each(\.decision, .priority, .excludeWins)
        each(\.emptyInclude, .open, .closed)
        each(\.intentNames, .folded, .exact)
        each(\.patterns, .names, .path)
        each(\.ruleReading, .strict, .go)
        each(\.phrases, .words, .substring)
        each(\.hints, .raise, .ignore)
        each(\.messageIntent, .best, .all, .none)
        each(\.order, .rank, .registered)
        each(\.budget, .fill, .fromEnd)
        each(\.answer, .full, .go)
        each(\.enricherAsks, .pairs, .names)
        each(\.enricherBatch, true, false)
        each(\.ranking, [:], ["name": 2, "vector": 0.5])
        each(\.limits, .all, .process)
        for options in all { XCTAssertNoThrow(try Broker(options), "\(options)") }
        let schema = try JSONDecoder().decode(JSONValue.self, from: try Data(contentsOf: Repository.root.appending(path: "docs/schemas/options.json")))
        guard case .object(let keys)? = schema["properties"] else { return XCTFail("the schema has no properties") }
        let written = try all.flatMap { try JSONDecoder().decode([String: JSONValue].self, from: try JSONEncoder().encode($0)).keys }
        XCTAssertEqual(Set(written), Set(keys.keys))
    }
}
