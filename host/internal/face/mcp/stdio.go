package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLine is the longest message: what the daemon takes of one command.
	maxLine = 16 << 20
	// parting is how long answers that are being made may take once the client has gone.
	parting = 500 * time.Millisecond
)

// lines is the transport over two pipes: one JSON-RPC message a line. What is no message
// is answered with an error, and the conversation goes on.
type lines struct {
	in   io.Reader
	out  io.Writer
	gone func() // the client has closed its end
}

// Connect starts to read.
func (t *lines) Connect(context.Context) (sdk.Connection, error) {
	c := &lineConn{out: t.out, gone: t.gone, read: make(chan jsonrpc.Message), ended: make(chan struct{}), closed: make(chan struct{}), answered: make(chan struct{}, 1), open: map[string]bool{}}
	go c.readAll(bufio.NewReaderSize(t.in, 64<<10)) // ends with its input, at the latest with the process
	return c, nil
}

// lineConn is one conversation.
type lineConn struct {
	gone   func()
	read   chan jsonrpc.Message
	ended  chan struct{} // no more to read
	closed chan struct{}
	once   sync.Once

	mu       sync.Mutex
	out      io.Writer
	open     map[string]bool // requests without an answer
	answered chan struct{}
}

// SessionID is none: there is one conversation.
func (c *lineConn) SessionID() string { return "" }

func (c *lineConn) readAll(r *bufio.Reader) {
	defer close(c.ended)
	for {
		line, long, err := readLine(r)
		if long {
			c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message is at most %d bytes", maxLine))
		} else if line = bytes.TrimSpace(line); len(line) > 0 {
			if message := c.decode(line); message != nil {
				select {
				case c.read <- message:
				case <-c.closed:
					return
				}
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine reads to the end of a line, and keeps nothing of one that is too long.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// decode reads a message, or answers what is none.
func (c *lineConn) decode(line []byte) jsonrpc.Message {
	if !json.Valid(line) {
		c.refuse(nil, jsonrpc.CodeParseError, "this is not JSON")
		return nil
	}
	if line[0] == '[' {
		c.refuse(nil, jsonrpc.CodeInvalidRequest, "batches are not part of the protocol: send one message a line")
		return nil
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		var asked struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.Unmarshal(line, &asked) // without an id the error has none
		c.refuse(asked.ID, jsonrpc.CodeInvalidRequest, "this is not a JSON-RPC 2.0 message")
		return nil
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() && request.Method != "subscriptions/listen" {
		c.mu.Lock()
		c.open[key(request.ID)] = true
		c.mu.Unlock()
	}
	return message
}

func key(id jsonrpc.ID) string { return fmt.Sprintf("%T %v", id.Raw(), id.Raw()) }

// refuse answers what is no request.
func (c *lineConn) refuse(id json.RawMessage, code int64, message string) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": message}})
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.out.Write(append(data, '\n')) // a reader that is gone is noticed by the next answer
}

// Read gives the next message. At the end of the input commands under way are cancelled,
// and what is being answered gets a moment to be so.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case message := <-c.read:
		return message, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.ended:
	}
	c.gone()
	timer := time.NewTimer(parting)
	defer timer.Stop()
	for {
		c.mu.Lock()
		waiting := len(c.open)
		c.mu.Unlock()
		if waiting == 0 {
			return nil, io.EOF
		}
		select {
		case <-c.answered:
		case <-timer.C:
			return nil, io.EOF
		case <-c.closed:
			return nil, io.EOF
		}
	}
}

// Write writes one message.
func (c *lineConn) Write(_ context.Context, message jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if response, ok := message.(*jsonrpc.Response); ok {
		delete(c.open, key(response.ID))
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	_, err = c.out.Write(append(data, '\n'))
	return err
}

// Close ends the conversation.
func (c *lineConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}
