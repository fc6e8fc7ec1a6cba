// Loads three servers' tools and a rule file, and shows what the model sees for some messages within a budget. The argument is the folder of the data.
import Foundation
import Toolbroker

let messages = [
    "Find my note on the garden and add that the roses need water",
    "Move the meeting with Ada to a time when we are all free",
    "Publish release 2.1 once its build is done",
]

func pick(from folder: String) throws {
    let broker = try Broker()
    for server in ["notes", "calendar", "depot"] {
        try broker.addTools(try String(contentsOfFile: "\(folder)/tools/\(server).json", encoding: .utf8), server: server)
    }
    try broker.loadRules(.path("\(folder)/rules.yaml"))
    for message in messages {
        let selection = try broker.select(SelectRequest(message: message, budget: Budget(tokens: 600, maxTools: 5)))
        print(message)
        for tool in selection.tools { print("  \(tool.id)") }
        print("  \(selection.count) of \(selection.total) tools, \(selection.tokens ?? 0) tokens; \(selection.rationale)\n")
    }
}

do {
    try pick(from: CommandLine.arguments.dropFirst().first ?? "examples/data")
} catch {
    // A fault in the rule file is told with file, line and column.
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
