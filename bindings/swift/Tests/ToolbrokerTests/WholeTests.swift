import Foundation
import Toolbroker
import XCTest

/// The checkout that the tests stand in.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).appending(path: "../../../../..").standardizedFileURL
}

/// Nothing of the library is missing in this package.
final class WholeTests: XCTestCase {
    func testEveryFunctionOfTheLibraryIsUsed() throws {
        let folder = Repository.root.appending(path: "bindings/swift/Sources/Toolbroker")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let words = try files.flatMap { try String(contentsOf: $0, encoding: .utf8).split { !($0.isLetter || $0.isNumber || $0 == "_") } }
        let exports = try String(contentsOf: Repository.root.appending(path: "include/exports.txt"), encoding: .utf8).split(separator: "\n")
        XCTAssertGreaterThan(exports.count, 30)
        XCTAssertEqual(Set(exports).subtracting(words).sorted(), [])
    }

    func testEveryCallOfTheContractHasAName() throws {
        let broker = try Broker()
        let schema = try JSONDecoder().decode(JSONValue.self, from: try Data(contentsOf: Repository.root.appending(path: "docs/schemas/requests.json")))
        guard case .object(let calls)? = schema["$defs"] else { return XCTFail("the schema has no calls") }
        for name in Set(calls.keys).subtracting(["tools", "indices", "pair"]) {
            XCTAssertNotEqual(try errorOf(try broker.call(name, "?")).text, "there is no call named `\(name)`")
        }
    }
}
