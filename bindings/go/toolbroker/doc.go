// Package toolbroker is the tool layer of a chat client: it holds every tool of every MCP server that the client talks to, and decides, turn by turn,
// which of them the model gets to see, in which order and at what cost in tokens; and says why.
//
//	broker, err := toolbroker.New(toolbroker.Options{})
//	if err != nil { … }
//	defer broker.Close()
//	_, err = broker.AddTools("notes", toolsListResult)
//	selection, err := broker.Select(ctx, toolbroker.SelectRequest{Message: "find my note", Budget: toolbroker.TokenBudget(4000)})
//
// What requests, options and rules mean stands in docs/contract.md; the types here carry the same names. A program written for the Go package
// `broker` 0.2 takes package broker beside this one.
//
// The package calls the C library through cgo: the static library that `make` puts into the module, or with the build tag toolbroker_system the one
// that pkg-config finds.
package toolbroker
