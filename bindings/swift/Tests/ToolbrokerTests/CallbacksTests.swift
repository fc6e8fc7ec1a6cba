import Toolbroker
import XCTest

/// What enricher and logger are handed, and what becomes of what they answer and throw.
final class CallbacksTests: XCTestCase {
    private let make = [ToolID(server: "make", name: "build_all"), ToolID(server: "make", name: "clean")]

    private struct StoreIsAway: Error, CustomStringConvertible {
        let description = "the store is away"
    }

    /// `overrides` fails with the error, `select` goes on, warns and logs.
    private func fails(_ enricher: @escaping Enricher, _ holds: (ToolbrokerError) -> Void, line: UInt = #line) throws {
        let logged = Lines()
        let broker = try brokerWithTools(enricher: enricher, logger: logged.add)
        let error = try errorOf(try broker.overrides(make), line: line)
        XCTAssertEqual(error.code, .callback, line: line)
        XCTAssertEqual(error.status, -15, line: line)
        XCTAssertTrue(error.message.hasPrefix("compose override block: "), error.message, line: line)
        holds(error)
        XCTAssertEqual(logged.all, [], line: line)
        let selection = try broker.select()
        XCTAssertEqual(selection.count, 2, line: line)
        XCTAssertNil(selection.overrideBlock, line: line)
        XCTAssertEqual(selection.warnings?.map(\.code), ["enricher_failed"], line: line)
        XCTAssertEqual(logged.all.count, 1, line: line)
        XCTAssertTrue(logged.all[0].hasPrefix("toolbroker: compose override block failed"), logged.all[0], line: line)
    }

    func testTheEnricherIsAskedInOrderAndItsHintsMakeTheBlock() throws {
        let asked = Lines()
        let broker = try brokerWithTools(enricher: { tools in
            asked.add(tools.map(\.description).joined(separator: " "))
            return tools.map { $0.name == "clean" ? Hints(antiPatterns: ["on main"], outputShape: "€ a list") : nil }
        })
        XCTAssertTrue(try XCTUnwrap(try broker.select().overrideBlock).hasSuffix("\n\n- **clean**: € a list; anti-patterns: on main\n"))
        XCTAssertTrue(try broker.overrides([ToolID(name: "clean"), ToolID(name: "x")]).contains("- **clean**: "))
        XCTAssertEqual(asked.all, ["make/build_all make/clean", "clean x"])
    }

    func testTheGoProfileAsksForNamesOneByOne() throws {
        let asked = Lines()
        let broker = try Broker(Options(profile: .go02), enricher: { tools in
            asked.add(tools.map(\.description).joined(separator: " "))
            return [nil]
        })
        try broker.addTools(#"[{"name":"a"},{"name":"b"}]"#, server: "s")
        XCTAssertEqual(try broker.select().count, 2)
        XCTAssertEqual(asked.all, ["a", "b"])
    }

    func testAThrownErrorIsToldByItsDescription() throws {
        try fails({ _ in throw StoreIsAway() }) { error in
            XCTAssertTrue(error.message.hasSuffix("the store is away"), error.message)
            XCTAssertEqual(error.detail.callbackStatus, -1)
        }
    }

    func testAThrownToolbrokerErrorHandsOnItsStatus() throws {
        try fails({ _ in throw ToolbrokerError(code: .io, status: -7, message: "no disk") }) { error in
            XCTAssertTrue(error.message.hasSuffix("no disk"), error.message)
            XCTAssertEqual(error.detail.callbackStatus, -7)
        }
        try fails({ _ in throw ToolbrokerError(code: .closed, status: 101, message: "x") }) { XCTAssertEqual($0.detail.callbackStatus, -1) }
    }

    func testTooFewHintsAreAFailure() throws {
        try fails({ _ in [] }) { XCTAssertTrue($0.message.contains("0 hints for 2 tools"), $0.message) }
    }

    /// The library shows what cannot be seen.
    func testNULInAThrownErrorCutsNothingOff() throws {
        try fails({ _ in throw ToolbrokerError(code: .io, status: -2, message: "a\u{0}b") }) { error in
            XCTAssertTrue(error.text.contains(#"a\u{0}b"#), error.text)
        }
    }

    func testCancellationStopsTheCall() throws {
        let logged = Lines()
        let broker = try brokerWithTools(enricher: { _ in throw CancellationError() }, logger: logged.add)
        XCTAssertEqual(try errorOf(try broker.select()).code, .stopped)
        XCTAssertEqual(try errorOf(try broker.overrides(make)).code, .stopped)
        XCTAssertEqual(logged.all, [])
    }

    func testACallbackMayCallTheSameBroker() throws {
        final class Weak: @unchecked Sendable { weak var broker: Broker? }
        let its = Weak()
        let broker = try brokerWithTools(enricher: { tools in
            try its.broker?.addTools(#"{"name":"made_meanwhile"}"#)
            let count = try its.broker?.allTools().count
            return tools.map { _ in Hints(outputShape: "\(count ?? 0)") }
        })
        its.broker = broker
        let selection = try broker.select()
        XCTAssertEqual(selection.count, 2)
        XCTAssertTrue(try XCTUnwrap(selection.overrideBlock).contains("- **clean**: 3\n"))
    }

    func testNoEnricherIsAskedWithoutNeed() throws {
        let asked = Counter()
        let broker = try brokerWithTools(enricher: { tools in
            asked.add()
            return tools.map { _ in nil }
        })
        _ = try broker.selectIndices()
        _ = try broker.overrides(make, hints: [nil, nil])
        _ = try broker.select(SelectRequest(budget: Budget(maxTools: 0)))
        XCTAssertEqual(asked.value, 0)
    }
}
