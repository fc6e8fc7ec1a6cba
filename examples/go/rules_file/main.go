// Loads three servers' tools and a rule file, and shows what the model sees for some messages within a budget. The argument is the folder of the data.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"toolbroker.test/go/toolbroker"
)

var messages = []string{
	"Find my note on the garden and add that the roses need water",
	"Move the meeting with Ada to a time when we are all free",
	"Publish release 2.1 once its build is done",
}

func main() {
	log.SetFlags(0)
	broker, err := toolbroker.New(toolbroker.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer broker.Close()
	folder := os.Args[1]
	for _, server := range []string{"notes", "calendar", "depot"} {
		tools, err := os.ReadFile(filepath.Join(folder, "tools", server+".json"))
		if err != nil {
			log.Fatal(err)
		}
		if _, err := broker.AddTools(server, tools); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := broker.LoadRules(toolbroker.RuleSource{Path: filepath.Join(folder, "rules.yaml")}); err != nil {
		log.Fatal(err)
	}
	for _, message := range messages {
		budget := toolbroker.TokenBudget(600)
		five := int64(5)
		budget.MaxTools = &five
		selection, err := broker.Select(context.Background(), toolbroker.SelectRequest{Message: message, Budget: budget})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(message)
		for _, tool := range selection.Tools {
			fmt.Println(" ", tool.ID())
		}
		fmt.Printf("  %d of %d tools, %d tokens; %s\n\n", selection.Count, selection.Total, selection.Tokens, selection.Rationale)
	}
}
