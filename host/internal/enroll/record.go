package enroll

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// RecordName is the file in the state folder that remembers how each changed file was.
const RecordName = "clients.json"

// note is how to give a file back as it was, as long as nobody else changed it.
type note struct {
	File    string   `json:"file"`
	Name    string   `json:"name"`
	Sum     string   `json:"sum"` // of the text that we left
	At      int      `json:"at"`  // where it differs from what was there before:
	Made    int      `json:"made"`
	Old     []byte   `json:"old"` // Made bytes were these
	Created bool     `json:"created,omitempty"`
	Folders []string `json:"folders,omitempty"` // that were made for it, outermost first
}

type record struct {
	Files []note `json:"files"`
}

func (m Machine) recordPath() string { return m.Join(m.Layout.State, RecordName) }

// record gives an empty one where there is none: without it, an entry is taken out by its text.
func (m Machine) record() record {
	var r record
	data, err := m.FS.ReadFile(m.recordPath())
	if err != nil || json.Unmarshal(data, &r) != nil {
		return record{}
	}
	return r
}

func (r record) encode() []byte {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil { // strings and numbers always encode
		panic(err)
	}
	return append(data, '\n')
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

// find gives the note of a file, when the file is as we left it.
func (r record) find(file, name string, data []byte) (note, bool) {
	for _, n := range r.Files {
		if n.File == file && n.Name == name && n.Sum == sum(data) && n.At+n.Made <= len(data) {
			return n, true
		}
	}
	return note{}, false
}

// before is the text as it was.
func (n note) before(data []byte) []byte {
	return slices.Concat(data[:n.At], n.Old, data[n.At+n.Made:])
}

func (r record) forget(file, name string) record {
	kept := slices.DeleteFunc(slices.Clone(r.Files), func(n note) bool { return n.File == file && n.Name == name })
	return record{Files: kept}
}

// noteOf says how to come back from the new text to the old one.
func noteOf(file, name string, before, after []byte) note {
	at := 0
	for at < len(before) && at < len(after) && before[at] == after[at] {
		at++
	}
	end := 0
	for end < len(before)-at && end < len(after)-at && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return note{File: file, Name: name, Sum: sum(after), At: at, Made: len(after) - at - end, Old: bytes.Clone(before[at : len(before)-end])}
}
