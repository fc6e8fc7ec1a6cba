// A program written for the Go package `broker` 0.2: only its import line was changed.
package main

import (
	"context"
	"fmt"
	"log"

	"toolbroker.test/go/broker"
)

func main() {
	b := broker.NewLocalBroker(
		[]broker.ToolDefinition{
			{Name: "build_start", Description: "Starts a build.", Server: "depot"},
			{Name: "docs_search", Description: "Finds pages of the manual.", Server: "depot"},
		},
		[]broker.Rule{{Name: "builds", Intent: "run-*", Match: broker.Match{Patterns: []string{"build_*"}}, Action: broker.Action{Type: "include"}}},
	)
	intent := broker.DetectIntent("Run build 7 again")[0].Name
	result, err := b.SelectTools(context.Background(), intent, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(intent, result.Count, "of", result.Total, result.Tools[0].Name, result.Rationale)
}
