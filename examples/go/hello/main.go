// Picks tools for one message.
package main

import (
	"context"
	"fmt"
	"log"

	"toolbroker.test/go/toolbroker"
)

func main() {
	broker, err := toolbroker.New(toolbroker.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer broker.Close()
	if _, err := broker.AddTools("make", `[{"name":"build_all"},{"name":"clean"}]`); err != nil {
		log.Fatal(err)
	}
	answer, err := broker.Call(context.Background(), "select", `{"message":"please build it","budget":{"tokens":4000}}`)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(answer)) // {"tools":[{"name":"build_all","server":"make"},…
}
