// Guidance on the selected tools for the system prompt: an enricher looks it up, the library writes the block. The argument is the folder of the data.
import Foundation
import Toolbroker

let folder = CommandLine.arguments.dropFirst().first ?? "examples/data"

/// Hints by "server/name".
let known = try JSONDecoder().decode([String: Hints].self, from: try Data(contentsOf: URL(fileURLWithPath: "\(folder)/hints.json")))

let broker = try Broker(enricher: { [known] tools in tools.map { known[$0.description] } })
for server in ["notes", "calendar", "depot"] {
    try broker.addTools(try String(contentsOfFile: "\(folder)/tools/\(server).json", encoding: .utf8), server: server)
}

let request = SelectRequest(message: "search my notes on the build and append its log", budget: Budget(maxTools: 4))
print("of the selection")
print(try broker.select(request).overrideBlock ?? "", terminator: "")

print("\nof three tools by name")
let tools = [
    ToolID(server: "notes", name: "notes_search"), ToolID(server: "notes", name: "notes_read"), ToolID(server: "depot", name: "build_start"),
]
print(try broker.overrides(tools), terminator: "")
