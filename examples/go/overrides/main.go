// Guidance on the selected tools for the system prompt: an Enricher looks it up, the library writes the block. The argument is the folder of the data.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"toolbroker.test/go/toolbroker"
)

// known are hints by "server/name", as hints.json has them.
type known map[string]*toolbroker.Hints

func (k known) Hints(_ context.Context, tools []toolbroker.ToolID) ([]*toolbroker.Hints, error) {
	hints := make([]*toolbroker.Hints, len(tools))
	for i, id := range tools {
		hints[i] = k[id.String()]
	}
	return hints, nil
}

func main() {
	log.SetFlags(0)
	folder := os.Args[1]
	var hints known
	text, err := os.ReadFile(filepath.Join(folder, "hints.json"))
	if err == nil {
		err = json.Unmarshal(text, &hints)
	}
	if err != nil {
		log.Fatal(err)
	}
	broker, err := toolbroker.New(toolbroker.Options{Enricher: hints})
	if err != nil {
		log.Fatal(err)
	}
	defer broker.Close()
	for _, server := range []string{"notes", "calendar", "depot"} {
		tools, err := os.ReadFile(filepath.Join(folder, "tools", server+".json"))
		if err != nil {
			log.Fatal(err)
		}
		if _, err := broker.AddTools(server, tools); err != nil {
			log.Fatal(err)
		}
	}

	four := int64(4)
	request := toolbroker.SelectRequest{Message: "search my notes on the build and append its log", Budget: &toolbroker.Budget{MaxTools: &four}}
	selection, err := broker.Select(context.Background(), request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("of the selection")
	fmt.Print(selection.OverrideBlock)

	block, err := broker.Overrides(context.Background(), toolbroker.ToolID{Server: "notes", Name: "notes_search"},
		toolbroker.ToolID{Server: "notes", Name: "notes_read"}, toolbroker.ToolID{Server: "depot", Name: "build_start"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("\nof three tools by name")
	fmt.Print(block)
}
