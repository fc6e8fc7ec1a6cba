// Picks tools by rules that stand in the program. A client that holds its tools in a list of its own asks for their places.
package main

import (
	"fmt"
	"log"

	"toolbroker.test/go/toolbroker"
)

var readOnly = true

var tools = []toolbroker.Tool{
	{Name: "build_start", Description: "Starts a build."},
	{Name: "build_status", Description: "Tells how far a build is.", Annotations: &toolbroker.Annotations{ReadOnly: &readOnly}},
	{Name: "build_cancel", Description: "Ends a build before it is done."},
	{Name: "docs_search", Description: "Finds pages of the manual.", Annotations: &toolbroker.Annotations{ReadOnly: &readOnly}},
	{Name: "docs_delete", Description: "Deletes a page of the manual."},
}

func rule(name, intent, pattern, action string, priority int64) toolbroker.Rule {
	match := toolbroker.Match{Patterns: []string{pattern}}
	return toolbroker.Rule{Name: name, Intent: intent, Match: match, Action: toolbroker.Action{Type: action}, Priority: priority}
}

func main() {
	broker, err := toolbroker.New(toolbroker.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer broker.Close()
	if _, err := broker.AddTools("depot", tools); err != nil {
		log.Fatal(err)
	}
	// Builds are hidden until someone asks for one; what deletes is never shown.
	_, err = broker.LoadRules(toolbroker.RuleSource{Rules: []toolbroker.Rule{
		rule("no builds", "", "build_*", "exclude", 0),
		rule("builds when asked", "run-build", "build_*", "allow", 10),
		rule("nothing deletes", "", "*_delete", "exclude", 100),
	}})
	if err != nil {
		log.Fatal(err)
	}
	for _, message := range []string{"How do I write a table in the manual?", "Run build 7 again"} {
		places, err := broker.SelectIndices(toolbroker.SelectRequest{Message: message})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(message)
		for _, place := range places {
			fmt.Println(" ", tools[place].Name)
		}
	}
}
