package auditlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Genesis is what the first line of all carries as the hash before it.
var Genesis = strings.Repeat("0", 2*sha256.Size)

// The end of each line: its hash as the last member.
const (
	hashMember = `,"hash":"`
	hashEnd    = `"}`
	tailSize   = len(hashMember) + 2*sha256.Size + len(hashEnd)
	// maxLine is the longest line that is read; tidy keeps what is written far below.
	maxLine = 64 << 10
)

// seal appends the entry's line to buf, with its hash and a line break, and gives the hash.
func seal(buf *bytes.Buffer, e *Entry) (string, error) {
	e.Hash = ""
	body, err := json.Marshal(e, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return "", err
	}
	e.Hash = hashOf(e.Prev, body)
	buf.Write(body[:len(body)-1])
	buf.WriteString(hashMember)
	buf.WriteString(e.Hash)
	buf.WriteString(hashEnd)
	buf.WriteByte('\n')
	return e.Hash, nil
}

// hashOf is the hash of a line: over the hash before it, a line break, and the line
// without its own.
func hashOf(prev string, body []byte) string {
	sum := sha256.New()
	sum.Write([]byte(prev))
	sum.Write([]byte{'\n'})
	sum.Write(body)
	return hex.EncodeToString(sum.Sum(nil))
}

// What is wrong with a line.
var (
	errShape = errors.New("it is no line of this log")
	errHash  = errors.New("it was changed: its hash is another one")
	errChain = errors.New("lines before it are missing or were changed: it does not carry their hash")
	errCount = errors.New("lines before it are missing: its number does not follow")
)

// open reads a line, without its line break, and checks its own hash.
func open(line []byte) (*Entry, error) {
	at := len(line) - tailSize
	if at < 1 || !bytes.HasPrefix(line[at:], []byte(hashMember)) || !bytes.HasSuffix(line, []byte(hashEnd)) {
		return nil, errShape
	}
	hash := string(line[at+len(hashMember) : len(line)-len(hashEnd)])
	body := append(bytes.Clone(line[:at]), '}')
	e := &Entry{}
	if err := json.Unmarshal(body, e); err != nil || e.Hash != "" {
		return nil, errShape
	}
	if hashOf(e.Prev, body) != hash {
		return nil, errHash
	}
	e.Hash = hash
	return e, nil
}
