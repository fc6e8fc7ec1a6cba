// Picks tools by rules that stand in the program. A client that holds its tools in a list of its own asks for their places.
import Toolbroker

let reads = Annotations(readOnlyHint: true)
let tools = [
    try Tool(name: "build_start", description: "Starts a build."),
    try Tool(name: "build_status", description: "Tells how far a build is.", annotations: reads),
    try Tool(name: "build_cancel", description: "Ends a build before it is done."),
    try Tool(name: "docs_search", description: "Finds pages of the manual.", annotations: reads),
    try Tool(name: "docs_delete", description: "Deletes a page of the manual."),
]

// Builds are hidden until someone asks for one; what deletes is never shown.
let rules = [
    Rule(name: "no builds", match: .init(patterns: ["build_*"]), action: .exclude),
    Rule(name: "builds when asked", intent: "run-build", match: .init(patterns: ["build_*"]), action: .allow, priority: 10),
    Rule(name: "nothing deletes", match: .init(patterns: ["*_delete"]), action: .exclude, priority: 100),
]

let broker = try Broker()
try broker.addTools(tools, server: "depot")
try broker.loadRules(.rules(rules))
for message in ["How do I write a table in the manual?", "Run build 7 again"] {
    print(message)
    for place in try broker.selectIndices(SelectRequest(message: message)) { print("  \(tools[place].name)") }
}
