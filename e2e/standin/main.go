// Command standin stands in for a browser: who starts it as one, with
// --remote-debugging-pipe, speaks with a CDP address instead. So suites that start a
// browser for each of their tests run, unchanged, against an address:
//
//	STANDIN=ws://… CHROMEDP_TEST_RUNNER=standin go test
//
// Each start is a client of its own. Like a browser it begins with an empty tab, and
// ends with Browser.close or its pipe.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/gorilla/websocket"
)

func main() {
	if err := run(os.Getenv("STANDIN")); err != nil {
		fmt.Fprintln(os.Stderr, "standin:", err)
		os.Exit(1)
	}
}

// opened is the id of the command that opens the first tab; no client uses it.
const opened = "-1"

func run(address string) error {
	// Those that Chrome has for it.
	in, out := os.NewFile(3, "commands"), os.NewFile(4, "answers")
	if in == nil || out == nil {
		return fmt.Errorf("start it with --remote-debugging-pipe")
	}
	socket, _, err := websocket.DefaultDialer.Dial(address, nil)
	if err != nil {
		return err
	}
	defer socket.Close()
	if err := socket.WriteMessage(websocket.TextMessage, []byte(`{"id":`+opened+`,"method":"Target.createTarget","params":{"url":"about:blank"}}`)); err != nil {
		return err
	}
	if _, answer, err := socket.ReadMessage(); err != nil {
		return fmt.Errorf("%w after %s", err, answer)
	}
	go func() { // ends with the process
		commands := bufio.NewReader(in)
		for {
			command, err := commands.ReadBytes(0)
			if err != nil || socket.WriteMessage(websocket.TextMessage, command[:len(command)-1]) != nil {
				socket.Close()
				return
			}
		}
	}()
	for {
		_, answer, err := socket.ReadMessage()
		if err != nil {
			return nil // the client is done
		}
		if _, err := out.Write(append(answer, 0)); err != nil {
			return nil
		}
	}
}
