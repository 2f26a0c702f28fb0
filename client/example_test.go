package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/debug-bridge/debug-bridge/client"
)

// Connect, start a browser for this program, and look at a page.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := client.Connect(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	if _, err := c.Session().Start(ctx, client.SessionStartParams{Headless: true, URL: site}); err != nil {
		log.Fatal(err)
	}
	defer c.Session().Stop(ctx)

	_, err = c.Runtime().Eval(ctx, client.RuntimeEvalParams{Expression: `document.body.innerHTML = "<h1>Harbour</h1><button>Sign in</button>"`})
	if err != nil {
		log.Fatal(err)
	}
	found, err := c.Observe().Find(ctx, client.ObserveFindParams{Role: "button"})
	if err != nil {
		log.Fatal(err)
	}
	for _, match := range found.Matches {
		fmt.Println(match.Role, match.Name)
	}
	// Output: button Sign in
}

// Fill a field, press a button, and read what the page says then.
func ExampleElementCommands_Click() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := client.Connect(ctx, client.WithContext("shop"))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Session().Start(ctx, client.SessionStartParams{Headless: true, URL: site}); err != nil {
		log.Fatal(err)
	}
	defer c.Session().Stop(ctx)
	page := `document.body.innerHTML = '<input id=name><button onclick="out.textContent = \'Ahoy \' + document.querySelector(\'#name\').value">Greet</button><p id=out></p>'`
	if _, err := c.Runtime().Eval(ctx, client.RuntimeEvalParams{Expression: page}); err != nil {
		log.Fatal(err)
	}

	if _, err := c.Element().Fill(ctx, client.ElementFillParams{Target: "#name", Value: "Ada"}); err != nil {
		log.Fatal(err)
	}
	if _, err := c.Element().Click(ctx, client.ElementClickParams{Target: `button "Greet"`}); err != nil {
		log.Fatal(err)
	}
	if _, err := c.Page().WaitText(ctx, client.PageWaitTextParams{Text: []string{"Ahoy"}}, client.Timeout(5*time.Second)); err != nil {
		log.Fatal(err)
	}
	greeting, err := c.Runtime().Eval(ctx, client.RuntimeEvalParams{Expression: "out.textContent"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(greeting.Value))
	// Output: "Ahoy Ada"
}

// Read events, stop, and go on later where it was: nothing is missed, nothing comes twice.
func ExampleClient_Events() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := client.Connect(ctx, client.WithContext("events"))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Session().Start(ctx, client.SessionStartParams{Headless: true, URL: site}); err != nil {
		log.Fatal(err)
	}
	defer c.Session().Stop(ctx)
	if _, err := c.Runtime().Eval(ctx, client.RuntimeEvalParams{Expression: `console.log("one"), console.log("two"), console.log("three")`}); err != nil {
		log.Fatal(err)
	}

	options := client.EventsOptions{Since: new(uint64(0)), Types: []string{"console"}} // from the log's beginning
	for event, err := range c.Events(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		if line, ok := event.Body().(*client.ConsoleEvent); ok {
			fmt.Println(line.Level, line.Args[0])
		}
		options.Since, options.Epoch = &event.Seq, event.Epoch // keep these, in a file if need be
		break
	}
	for event, err := range c.Events(ctx, options) {
		if err != nil {
			log.Fatal(err)
		}
		line, ok := event.Body().(*client.ConsoleEvent)
		if !ok {
			continue // a gap: what the log does not hold any more
		}
		fmt.Println(line.Level, line.Args[0])
		if line.Args[0] == "three" {
			break
		}
	}
	// Output:
	// log one
	// log two
	// log three
}

// Errors have a code to compare with, and say what to do next.
func ExampleError() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := client.Connect(ctx, client.WithContext("nobody"))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()

	_, err = c.Element().Click(ctx, client.ElementClickParams{Target: `button "Pay"`})
	var failed *client.Error
	switch {
	case errors.Is(err, client.ErrIndeterminate):
		fmt.Println("look at the page before doing it again")
	case errors.As(err, &failed):
		fmt.Println(failed.Code, failed.Retryable)
		fmt.Println(failed.Suggestions[0])
	}
	// Output:
	// SESSION_NOT_FOUND false
	// dbridge session start --headless
}

// A daemon reached over TCP, with a token of `dbridge token new NAME`.
func ExampleWithURL() {
	_, err := client.Connect(context.Background(), client.WithURL("http://127.0.0.1:9224"))
	fmt.Println(errors.Is(err, client.ErrUnauthorized))
	// Output: true
}
