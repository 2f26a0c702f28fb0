package install

import (
	"encoding/json"
	"slices"

	"github.com/debug-bridge/debug-bridge/manifests"
)

// Record is what install remembers, so that uninstall finds places that the
// table does not hold (--dir) and removes the folders that install made.
type Record struct {
	Manifests []string `json:"manifests"`
	Created   []string `json:"created"`
}

const recordName = "install.json"

func (e Env) recordPath() string { return e.Join(e.Layout.State, recordName) }

// readRecord gives an empty record when there is none or it cannot be read: it only ever adds to the table.
func (e Env) readRecord() Record {
	var record Record
	data, err := e.FS.ReadFile(e.recordPath())
	if err != nil || json.Unmarshal(data, &record) != nil {
		return Record{}
	}
	return record
}

// Custom lists the manifest files that earlier installs wrote to places outside the table (--dir).
func (e Env) Custom() []string {
	var table []string
	for _, row := range manifests.For(e.GOOS) {
		table = append(table, e.places(row, "", false).Manifests...)
	}
	return slices.DeleteFunc(e.readRecord().Manifests, func(file string) bool { return slices.Contains(table, file) })
}

func (r Record) with(manifests, created []string) Record {
	return Record{Manifests: union(r.Manifests, manifests), Created: union(r.Created, created)}
}

func (r Record) encode() []byte {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil { // strings always encode
		panic(err)
	}
	return append(data, '\n')
}

// union keeps the order in which things were first seen; never nil, so that it is a JSON list.
func union(a, b []string) []string {
	out := make([]string, 0, len(a)+len(b))
	for _, s := range slices.Concat(a, b) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
