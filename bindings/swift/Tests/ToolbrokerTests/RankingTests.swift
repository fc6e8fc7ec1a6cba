import Toolbroker
import XCTest

/// What a ranking asks and gives, and what becomes of an embedder's vectors and errors.
final class RankingTests: XCTestCase {
    private struct ModelIsAway: Error, CustomStringConvertible {
        let description = "the model is away"
    }

    /// A vector by the first letter of a text: what begins alike is alike.
    private static let letters: Embedder = { texts in
        texts.map { text in
            var vector = [Float](repeating: 0, count: 26)
            if let byte = text.lowercased().utf8.first { vector[Int(byte) % 26] = 3 }
            return vector
        }
    }

    /// `embedTools` fails with the error; `rank` and `select` go on by words, warn and log.
    private func fails(_ embedder: @escaping Embedder, _ holds: (ToolbrokerError) -> Void, line: UInt = #line) throws {
        let logged = Lines()
        let broker = try brokerWithTools(embedder: embedder, logger: logged.add)
        let error = try errorOf(try broker.embedTools(), line: line)
        XCTAssertEqual(error.code, .callback, line: line)
        XCTAssertEqual(error.status, -15, line: line)
        holds(error)
        XCTAssertEqual(logged.all, [], line: line)
        let plain = try brokerWithTools().rank(RankRequest(message: "build"))
        let ranking = try broker.rank(RankRequest(message: "build"))
        XCTAssertEqual(plain.tools.map(\.name), ["build_all"], line: line)
        XCTAssertEqual(ranking.tools, plain.tools, line: line)
        XCTAssertEqual(ranking.warnings?.map(\.code), ["embedder_failed"], line: line)
        XCTAssertEqual(ranking.warnings?.map(\.message), [error.message], line: line)
        let selection = try broker.select(SelectRequest(message: "build"))
        XCTAssertEqual(selection.tools.map(\.name), ["build_all", "clean"], line: line)
        XCTAssertEqual(selection.warnings?.map(\.code), ["embedder_failed"], line: line)
        XCTAssertEqual(logged.all, Array(repeating: "toolbroker: embedding failed: \(error.message)", count: 2), line: line)
    }

    func testWhatFitsComesFirst() throws {
        let broker = try brokerWithTools()
        let ranking = try broker.rank(RankRequest(message: "please build it"))
        XCTAssertEqual(ranking.tools.map(\.id), [ToolID(server: "make", name: "build_all")])
        XCTAssertEqual(ranking.language, .english)
        XCTAssertNil(ranking.warnings)
        let ranked = try XCTUnwrap(ranking.tools.first)
        XCTAssertTrue(ranked.score > 0 && ranked.score <= 1, "\(ranked.score)")
        XCTAssertNil(ranked.index)
        XCTAssertNil(ranked.terms)
        XCTAssertEqual(try broker.rank(RankRequest(message: "call build_all")).tools.map(\.score), [1])
        XCTAssertEqual(try broker.rank(RankRequest()).tools, [])
    }

    func testARequestHasAllKeys() throws {
        let broker = try brokerWithTools()
        let request = RankRequest(message: "build_all", hints: ["tidy"], top: 2, minScore: 0.01, language: .german, explain: true, indices: true)
        let ranking = try broker.rank(request)
        XCTAssertEqual(ranking.tools.map(\.index), [0, 1])
        XCTAssertEqual(ranking.tools.map(\.name), ["", ""])
        XCTAssertEqual(ranking.language, .german)
        XCTAssertEqual(try broker.rank(RankRequest(message: "build_all", hints: ["tidy"], top: 1)).tools.count, 1)
        XCTAssertEqual(try broker.rank(RankRequest(message: "build", top: 0)).tools, [])
        XCTAssertEqual(try errorOf(try broker.rank(RankRequest(minScore: 2))).detail.place?.path, "min_score")
        XCTAssertEqual(try errorOf(try broker.rank(RankRequest(language: Language(rawValue: "xx")))).code, .invalidRequest)
    }

    func testARankingTellsWhatAToolWasFoundBy() throws {
        let broker = try Broker()
        try broker.addTools(#"[{"name":"forecast_get","description":"The weather forecast for a place."},{"name":"mail_send","description":"Sends a mail."}]"#)
        let ranking = try broker.rank(RankRequest(message: "umbrella?", top: 1, explain: true))
        XCTAssertEqual(ranking.tools.map(\.name), ["forecast_get"])
        let hit = try XCTUnwrap(ranking.tools.first?.terms?.first)
        XCTAssertEqual(hit.term, "umbrella")
        XCTAssertEqual(hit.found, "forecast")
        XCTAssertEqual(hit.by, .topic)
        XCTAssertEqual(hit.fields, [.name, .firstSentence])
        XCTAssertGreaterThan(hit.weight, 0)
        XCTAssertGreaterThan(hit.score, 0)
        let selection = try broker.select(SelectRequest(message: "the mail", language: .english, explain: true))
        let fates = try XCTUnwrap(selection.explanation).tools
        XCTAssertEqual(fates.map { $0.terms?.map(\.term) }, [["mail"], nil])
        XCTAssertEqual(fates.first?.terms?.map(\.by), [.word])
        XCTAssertEqual(try errorOf(try broker.select(SelectRequest(language: Language(rawValue: "xx")))).detail.place?.path, "language")
    }

    func testWeightsAreOptions() throws {
        var options = Options()
        options.ranking = ["topic": 0]
        let broker = try Broker(options)
        try broker.addTools(#"[{"name":"forecast_get"}]"#)
        XCTAssertEqual(try broker.rank(RankRequest(message: "umbrella?")).tools, [])
        XCTAssertEqual(try broker.rank(RankRequest(message: "forecast")).tools.count, 1)
        options.ranking = ["topics": 1]
        XCTAssertEqual(try errorOf(try Broker(options)).code, .invalidOptions)
    }

    func testALongMessageIsAWarning() throws {
        let message = (0...10_000).map { "w\($0)" }.joined(separator: " ")
        XCTAssertEqual(try brokerWithTools().rank(RankRequest(message: message)).warnings?.map(\.code), ["long_message"])
        XCTAssertEqual(try brokerWithTools().select(SelectRequest(message: message)).warnings?.map(\.code), ["long_message"])
    }

    func testVectorsFindWhatNoWordFinds() throws {
        let message = RankRequest(message: "boat")
        XCTAssertEqual(try brokerWithTools().rank(message).tools, [])
        XCTAssertEqual(try brokerWithTools(embedder: RankingTests.letters).rank(message).tools.map(\.name), ["build_all"])
    }

    func testTheEmbedderIsAskedOncePerTool() throws {
        let asked = Lines()
        let broker = try brokerWithTools(embedder: { texts in
            asked.add(texts.joined(separator: " | "))
            return try RankingTests.letters(texts)
        })
        XCTAssertEqual(try broker.embedTools(), 2)
        XCTAssertEqual(try broker.embedTools(), 0)
        XCTAssertEqual(asked.all, ["build all: Builds it. | clean"])
        _ = try broker.rank(RankRequest(message: "one"))
        _ = try broker.select(SelectRequest(message: "two"))
        _ = try broker.selectIndices(SelectRequest(message: "three"))
        _ = try broker.rank(RankRequest())
        XCTAssertEqual(asked.all, ["build all: Builds it. | clean", "one", "two"])
        try broker.addTools(#"[{"name":"clean","tags":["other"]},{"name":"lint"}]"#, server: "make")
        _ = try broker.rank(RankRequest(message: "€ four"))
        XCTAssertEqual(asked.all.dropFirst(3), ["lint", "€ four"])
    }

    func testManyToolsAreAskedForInBatches() throws {
        let asked = Lines()
        let broker = try Broker(embedder: { texts in
            asked.add("\(texts.count)")
            return texts.map { _ in [1, 2] }
        })
        try broker.addTools("[\((0..<100).map { #"{"name":"t\#($0)"}"# }.joined(separator: ","))]")
        XCTAssertEqual(try broker.embedTools(), 100)
        XCTAssertEqual(asked.all, ["64", "36"])
    }

    func testNothingIsEmbeddedWithoutAnEmbedder() throws {
        XCTAssertEqual(try brokerWithTools().embedTools(), 0)
    }

    func testAThrownErrorIsAWarningAndWordsRank() throws {
        try fails({ _ in throw ModelIsAway() }) { error in
            XCTAssertEqual(error.message, "the model is away")
            XCTAssertEqual(error.detail.callbackStatus, -1)
        }
        try fails({ _ in throw ToolbrokerError(code: .io, status: -7, message: "no model") }) { error in
            XCTAssertEqual(error.message, "no model")
            XCTAssertEqual(error.detail.callbackStatus, -7)
        }
        try fails({ _ in throw ToolbrokerError(code: .closed, status: 101, message: "x") }) { XCTAssertEqual($0.detail.callbackStatus, -1) }
    }

    func testAnAnswerThatDoesNotFitIsAWarningAndWordsRank() throws {
        func message(_ embedder: @escaping Embedder, _ end: String, line: UInt = #line) throws {
            try fails(embedder, { XCTAssertEqual($0.message, "the embedder's answer: \(end)", line: line) }, line: line)
        }
        try message({ _ in [] }, "0 vectors for 2 texts")
        try message({ _ in [[1], [2], [3], [4]] }, "4 vectors for 2 texts")
        try message({ texts in texts.indices.map { [Float](repeating: 1, count: $0 + 1) } }, "a vector of 2 values after one of 1")
        try message({ texts in texts.map { _ in [] } }, "a vector of 0 values; from 1 to 65536 are taken")
        try message({ texts in texts.map { _ in [Float](repeating: 1, count: 65_537) } }, "a vector of 65537 values")
        try message({ texts in texts.map { _ in [1, .nan] } }, "a value that is no finite number")
    }

    func testCancellationStopsTheCall() throws {
        let logged = Lines()
        let broker = try brokerWithTools(embedder: { _ in throw CancellationError() }, logger: logged.add)
        XCTAssertEqual(try errorOf(try broker.embedTools()).code, .stopped)
        XCTAssertEqual(try errorOf(try broker.rank(RankRequest(message: "x"))).code, .stopped)
        XCTAssertEqual(try errorOf(try broker.select(SelectRequest(message: "x"))).code, .stopped)
        XCTAssertEqual(logged.all, [])
    }

    func testAnEmbedderMayCallTheSameBroker() throws {
        final class Weak: @unchecked Sendable { weak var broker: Broker? }
        let its = Weak()
        let broker = try brokerWithTools(embedder: { texts in
            try its.broker?.addTools(#"{"name":"made_meanwhile"}"#)
            return try RankingTests.letters(texts)
        })
        its.broker = broker
        XCTAssertEqual(try broker.rank(RankRequest(message: "build")).tools.map(\.name), ["build_all"])
        XCTAssertEqual(try broker.allTools().count, 3)
    }
}
