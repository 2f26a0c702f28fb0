package cli

import (
	"context"
	"io"
	"os"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// maxTyped is the most that is read of a value from stdin.
const maxTyped = 64 << 10

// typed is the command's parameter that has no flag, where it has one.
func (b *bound) typed() *param {
	for _, p := range b.params {
		if p.field.Typed {
			return p
		}
	}
	return nil
}

// askTyped asks for the parameter that has no flag, at a terminal without echo, or takes
// it from stdin.
func (a *app) askTyped(ctx context.Context, b *bound) error {
	p := b.typed()
	if p == nil || p.given || b.shared.inputFile != "" {
		return nil
	}
	if complete, err := b.json(nil); err != nil {
		return err
	} else if _, err := b.command.Decode(complete); err != nil {
		return err // before anybody types
	}
	var text []byte
	var err error
	if terminal(a.stdin) {
		text, err = a.readUnseen(ctx, a.stdin.(*os.File), "The "+p.field.Name+" (is not shown): ")
	} else {
		text, err = io.ReadAll(io.LimitReader(a.stdin, maxTyped+1))
	}
	if err != nil {
		return fault.New(fault.FileAccessFailed, "the %s cannot be read: %v", p.field.Name, err).With("path", "stdin").Because(err)
	}
	if len(text) > maxTyped {
		return fault.New(fault.ValidationError, "the %s is longer than %d bytes", p.field.Name, maxTyped).Suggest(seeHelp(b.command))
	}
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
		if n > 1 && text[n-2] == '\r' {
			text = text[:n-2]
		}
	}
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		return fault.New(fault.ValidationError, "the %s is not UTF-8 text", p.field.Name).Suggest("Give UTF-8 text.")
	}
	p.given, p.raw = true, quoted
	return nil
}

// readUnseen reads a line of the terminal that is not shown. The terminal is put right
// again whatever ends it.
func (a *app) readUnseen(ctx context.Context, from *os.File, prompt string) ([]byte, error) {
	before, err := term.GetState(int(from.Fd()))
	if err != nil {
		return nil, err
	}
	_, _ = io.WriteString(a.stderr, prompt) // who sees no prompt can type all the same
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() { // ends with the process where nobody types
		text, err := term.ReadPassword(int(from.Fd()))
		read <- line{text, err}
	}()
	defer io.WriteString(a.stderr, "\n") //nolint:errcheck // as the prompt
	select {
	case got := <-read:
		return got.text, got.err
	case <-ctx.Done():
		_ = term.Restore(int(from.Fd()), before)
		return nil, ctx.Err()
	}
}
