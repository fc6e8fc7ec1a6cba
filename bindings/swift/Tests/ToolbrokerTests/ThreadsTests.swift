import Foundation
import Toolbroker
import XCTest

/// One broker on many threads, in tasks and in an actor.
final class ThreadsTests: XCTestCase {
    /// A thread, joined by a group.
    private func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                work(number)
                group.leave()
            }
        }
        group.wait()
    }

    func testEachOf64ThreadsGetsItsOwnErrors() throws {
        let broker = try brokerWithTools()
        let right = Counter()
        onThreads(64) { number in
            for round in 0..<50 {
                let key = "key\(number)x\(round)"
                if let error = try? errorOf(try broker.call("select", #"{"\#(key)":1}"#)), error.detail.place?.path == key, error.text.contains("`\(key)`") {
                    right.add()
                }
            }
        }
        XCTAssertEqual(right.value, 64 * 50)
    }

    func testSelectionsSeeOneStateWhileToolsChange() throws {
        let broker = try Broker()
        let pair = #"[{"name":"a"},{"name":"b"}]"#
        try broker.addTools(pair, server: "0")
        let wrong = Counter()
        onThreads(16) { number in
            for _ in 0..<50 {
                if number % 4 == 0 {
                    _ = try? broker.addTools(pair, server: "\(number)")
                    if number > 0 { _ = try? broker.removeTools(server: "\(number)") }
                } else if (try? broker.select().count % 2) != 0 {
                    wrong.add()
                }
            }
        }
        XCTAssertEqual(wrong.value, 0)
        XCTAssertEqual(try broker.allTools().count, 2)
    }

    func testClosingAmongCallsFreesOnceAndOnlyThrowsClosed() throws {
        for _ in 0..<20 {
            let (freed, wrong) = (Counter(), Counter())
            let broker = try brokerWithTools(logger: makeLogger(Witness(freed)))
            onThreads(8) { number in
                if number == 3 { return broker.close() }
                do throws(ToolbrokerError) {
                    while try broker.select().count == 2 {}
                    wrong.add()
                } catch {
                    if error.code != .closed { wrong.add() }
                }
            }
            XCTAssertEqual(wrong.value, 0)
            XCTAssertEqual(freed.value, 1)
        }
    }

    func testATaskGroupSharesABroker() async throws {
        let broker = try brokerWithTools()
        let found = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<64 {
                group.addTask {
                    try broker.addTools([try Tool(name: "tool_\(number)")], server: "tasks")
                    return try broker.findByNames(["tasks/tool_\(number)"]).map(\.name).joined()
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        XCTAssertEqual(found, Set((0..<64).map { "tool_\($0)" }))
        XCTAssertEqual(try broker.allTools(server: "tasks").count, 64)
    }

    /// A conversation keeps its own state and shares the broker.
    private actor Conversation {
        private let broker: Broker
        private var seen: Set<ToolID> = []
        init(_ broker: Broker) { self.broker = broker }

        func tools(for message: String) throws(ToolbrokerError) -> [Tool] {
            let tools = try broker.select(SelectRequest(message: message, budget: Budget(maxTools: 1))).tools
            seen.formUnion(tools.map(\.id))
            return tools
        }

        var names: [String] { seen.map(\.name).sorted() }
    }

    func testAnActorUsesABroker() async throws {
        let conversation = Conversation(try brokerWithTools())
        let first = try await conversation.tools(for: "build it")
        let second = try await conversation.tools(for: "clean up")
        XCTAssertEqual(first.map(\.name) + second.map(\.name), ["build_all", "clean"])
        let names = await conversation.names
        XCTAssertEqual(names, ["build_all", "clean"])
    }
}

private func makeLogger(_ witness: Witness) -> Logger {
    { _ in withExtendedLifetime(witness) {} }
}
