// Picks tools for one message.
import Toolbroker

let broker = try Broker()
try broker.addTools(#"[{"name":"build_all"},{"name":"clean"}]"#, server: "make")
let answer = try broker.call("select", #"{"message":"please build it","budget":{"tokens":4000}}"#)
print(answer)  // {"tools":[{"name":"build_all","server":"make"},…
