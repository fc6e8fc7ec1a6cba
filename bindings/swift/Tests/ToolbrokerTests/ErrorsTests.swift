import Foundation
import XCTest

@testable import Toolbroker

/// What an error tells, and texts that are empty, odd or long.
final class ErrorsTests: XCTestCase {
    func testAnErrorHasPlaceAndHint() throws {
        let error = try errorOf(try Broker().call("select", #"{"mesage": "x"}"#))
        XCTAssertEqual(error.code, .invalidRequest)
        XCTAssertEqual(error.status, -6)
        XCTAssertEqual(error.message, "unknown key `mesage`")
        XCTAssertEqual(error.detail.place, .init(file: nil, line: 1, column: 2, path: "mesage"))
        let hint = try XCTUnwrap(error.detail.hint)
        XCTAssertTrue(hint.contains("message"), hint)
        XCTAssertTrue(error.text.contains(error.message) && error.text.contains(hint), error.text)
        XCTAssertNil(error.detail.callbackStatus)
        XCTAssertNil(error.detail.faults)
        XCTAssertEqual(error.description, "invalid_request: \(error.text)")
        XCTAssertEqual(error.localizedDescription, error.text)
        XCTAssertEqual(try JSONDecoder().decode(ToolbrokerError.Detail.self, from: Data(error.json.utf8)), error.detail)
    }

    func testARuleTextTellsAllItsFaults() throws {
        let error = try errorOf(try Broker().loadRules(.text("rules:\n  - intnt: x\n    match: {tags: [a]}\n    action: {type: pn}\n", file: "mine.yaml")))
        XCTAssertEqual(error.code, .invalidRule)
        let faults = try XCTUnwrap(error.detail.faults)
        XCTAssertEqual(faults.map(\.place?.line), [2, 4])
        XCTAssertEqual(faults.map(\.place?.file), ["mine.yaml", "mine.yaml"])
        XCTAssertEqual(faults[0].message, error.message)
    }

    func testTheTextIsTheSameAsTheLibraryWrites() throws {
        let error = try errorOf(try Broker(json: #"{"order":"rnk"}"#))
        XCTAssertEqual(error.code, .invalidOptions)
        XCTAssertEqual(error, try errorOf(try Broker(json: #"{"order":"rnk"}"#)))
        XCTAssertNotEqual(error, try errorOf(try Broker(json: #"{"order":"rn"}"#)))
    }

    func testAnUnknownStatusIsBorne() {
        XCTAssertEqual(ToolbrokerError.Code(status: -8), .invalidRule)
        XCTAssertEqual(ToolbrokerError.Code(status: -99).rawValue, "unknown")
        let error = ToolbrokerError(status: -99, taking: nil)
        XCTAssertEqual(error.status, -99)
        XCTAssertEqual(error.code.rawValue, "unknown")
        XCTAssertEqual(ToolbrokerError.Code(rawValue: "made_later").description, "made_later")
    }

    func testACallThatIsNoneIsTold() throws {
        XCTAssertEqual(try errorOf(try Broker().call("selct")).text, "there is no call named `selct`")
        XCTAssertEqual(try errorOf(try Broker.call("selct")).code, .invalidRequest)
        XCTAssertEqual(try errorOf(try Broker.call("select")).text, "the call `select` needs a broker")
    }

    func testAnAnswerThatIsNotUnderstoodIsTold() throws {
        do throws(ToolbrokerError) {
            let count: Int = try JSON.read("[]")
            XCTFail("\(count)")
        } catch {
            XCTAssertEqual(error.code, .unexpectedAnswer)
            XCTAssertEqual(error.status, 103)
        }
    }

    func testEmptyTextsAreRequestsWithoutKeys() throws {
        let broker = try Broker(json: "")
        XCTAssertEqual(try broker.call("all_tools"), "[]")
        XCTAssertEqual(try broker.call("all_tools", Data()), Data("[]".utf8))
        XCTAssertEqual(try broker.call("all_rules", "{}"), "[]")
        XCTAssertEqual(try errorOf(try broker.addTools("")).code, .invalidJSON)
        XCTAssertEqual(try broker.addTools("[]").total, 0)
        XCTAssertEqual(try broker.select(SelectRequest(message: "", intent: "")).count, 0)
        XCTAssertEqual(try broker.overrides([]), "")
    }

    func testBytesThatAreNotUTF8AreRefused() throws {
        XCTAssertEqual(try errorOf(try Broker().call("select", Data([0x7B, 0xFF]))).code, .invalidUTF8)
    }

    func testNULInNamesAndErrorTextsIsKept() throws {
        let broker = try Broker()
        try broker.addTools([try Tool(name: "a\u{0}b")], server: "s\u{0}t")
        XCTAssertEqual(try broker.allTools().map(\.id), [ToolID(server: "s\u{0}t", name: "a\u{0}b")])
        XCTAssertEqual(try broker.findByNames(["a\u{0}b"]).map(\.name), ["a\u{0}b"])
        XCTAssertEqual(try broker.select(SelectRequest(pins: ["x\u{0}y"])).warnings?.map(\.message), ["pin `x\u{0}y` names no registered tool"])
        let error = try errorOf(try broker.call("select", #"{"n\u0000o":1}"#))
        XCTAssertEqual(error.detail.place?.path, "n\u{0}o")
        // In a line for people the library shows what cannot be seen, so that nothing behind it is cut off.
        XCTAssertTrue(error.text.hasSuffix(try XCTUnwrap(error.detail.hint)) && error.text.contains(#"n\u{0}o"#), error.text)
    }

    func testAnOddTextStaysInItsPlace() throws {
        let broker = try Broker()
        for text in [#"[]},"server":"x""#, #"[],"server":"x""#, #"[]}{"#, #"["}"#, #"["\"}"#, "[}{]", "", "]["] {
            XCTAssertEqual(try errorOf(try broker.addTools(text, server: "mine")).code, .invalidJSON, text)
        }
        XCTAssertEqual(try broker.addTools(#" {"name":"a,]}\"","x":["{",{}]} "#, server: "mine").added.map(\.server), ["mine"])
    }

    func testTenMegabytesPassBothWays() throws {
        let broker = try Broker()
        let long = String(repeating: "x\"é\u{0}", count: 1 << 20)
        XCTAssertEqual(try broker.addTools([try Tool(name: "long", description: long)]).refused, [])
        XCTAssertEqual(try broker.select(SelectRequest(message: long)).tools.map(\.description), [long])
        let data = Data((#"{"message":""# + String(repeating: "é", count: 5 << 20) + #""}"#).utf8)
        XCTAssertEqual(try broker.call("detect_intent", data), Data("[]".utf8))
    }
}
