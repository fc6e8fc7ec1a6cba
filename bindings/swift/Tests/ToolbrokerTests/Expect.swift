import Toolbroker
import XCTest

/// A broker with two tools of the server `make`.
func brokerWithTools(enricher: Enricher? = nil, embedder: Embedder? = nil, logger: Logger? = nil) throws -> Broker {
    let broker = try Broker(enricher: enricher, embedder: embedder, logger: logger)
    try broker.addTools(#"[{"name":"build_all","description":"Builds it."},{"name":"clean","tags":["tidy"]}]"#, server: "make")
    return broker
}

/// The error of a call that must fail.
func errorOf<Answer>(_ call: @autoclosure () throws(ToolbrokerError) -> Answer, file: StaticString = #filePath, line: UInt = #line) throws -> ToolbrokerError {
    do {
        let answer = try call()
        XCTFail("it must fail, and gave \(answer)", file: file, line: line)
        throw CancellationError()
    } catch let error as ToolbrokerError {
        return error
    }
}

/// Counts from several threads.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    func add() { lock.withLock { number += 1 } }
    var value: Int { lock.withLock { number } }
}

/// Lines from several threads.
final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var lines: [String] = []
    @Sendable func add(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}

/// Counts when it is let go of: caught by a callback, it tells when the library has released that.
final class Witness: Sendable {
    private let freed: Counter
    init(_ freed: Counter) { self.freed = freed }
    deinit { freed.add() }
}
