package auditlog

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Report is what Verify found.
type Report struct {
	OK    bool      `json:"ok"`
	Files int       `json:"files"`
	Lines uint64    `json:"lines"`
	First uint64    `json:"first,omitzero" doc:"Number of the first line; those before it were in files that are not kept."`
	Last  uint64    `json:"last,omitzero"`
	From  time.Time `json:"from,omitzero"`
	To    time.Time `json:"to,omitzero"`
	Head  string    `json:"head" doc:"Hash of the last line. Keep it elsewhere: verify --head tells whether the log still holds it."`
	Lost  uint64    `json:"lost,omitzero" doc:"Entries that could not be written when they came; the lines say where."`
	Held  *bool     `json:"held,omitempty" doc:"The log holds the line of --head."`
	// The first fault.
	Broken *Broken `json:"broken,omitempty"`
}

// Broken is the first line that is not as it was written.
type Broken struct {
	File string `json:"file"`
	Line int    `json:"line" doc:"In the file, from 1."`
	Seq  uint64 `json:"seq,omitzero" doc:"Its number, or that which it should have."`
	Why  string `json:"why"`
}

// Verify walks all files of a log. head, where it is not empty, is the hash of a line that
// the log must hold. The error is FILE_ACCESS_FAILED; a broken chain is none.
func Verify(dir, head string) (Report, error) {
	names, err := list(dir)
	if err != nil {
		return Report{}, err
	}
	out := Report{OK: true, Files: len(names), Head: Genesis}
	held := head == Genesis
	for i, name := range names {
		first, _ := firstOf(name)
		at := 0
		broken := func(err error) {
			out.Broken = &Broken{File: filepath.Join(dir, name), Line: at, Seq: out.Last + 1, Why: err.Error()}
		}
		err := lines(filepath.Join(dir, name), func(number int, line []byte) bool {
			at = number
			e, err := open(line)
			switch {
			case err != nil:
			case out.Lines == 0 && i == 0 && (first != e.Seq || e.Seq == 1 && e.Prev != Genesis):
				err = errCount
			case out.Lines == 0 && i == 0:
				out.First, out.From = e.Seq, e.At
			case e.Seq != out.Last+1, number == 1 && first != e.Seq:
				err = errCount
			case e.Prev != out.Head:
				err = errChain
			}
			if err != nil {
				broken(err)
				return false
			}
			out.Lines++
			out.Last, out.To, out.Head = e.Seq, e.At, e.Hash
			out.Lost += e.Lost
			held = held || e.Hash == head
			return true
		})
		if torn, ok := errors.AsType[tornError](err); ok {
			at++
			broken(torn)
		} else if err != nil {
			return out, err
		}
		if at == 0 && i < len(names)-1 && out.Broken == nil {
			broken(errCount) // a file without lines that is not the last
		}
		if out.Broken != nil {
			out.OK = false
			break
		}
	}
	if head != "" {
		out.Held = &held
		out.OK = out.OK && held
	}
	return out, nil
}

// Filter says which entries are wanted. The zero value wants all.
type Filter struct {
	Since   time.Time // not older
	Agent   string    // token, context or program
	Site    string    // host, or a domain above it
	Refused bool      // only what was refused
	Kinds   []string
}

// refusals are the codes of what was not permitted, as against what did not work.
var refusals = []fault.Code{fault.PolicyDenied, fault.CapabilityMissing, fault.EvalDisabled, fault.NotConnected, fault.Unauthorized, fault.PageLeased}

// Refusal reports the code of something that was not permitted.
func Refusal(code string) bool { return slices.Contains(refusals, fault.Code(code)) }

// Wants reports whether the entry is one of those.
func (f Filter) Wants(e *Entry) bool {
	switch {
	case e.At.Before(f.Since),
		f.Agent != "" && f.Agent != e.Agent && f.Agent != e.Context && f.Agent != e.Program,
		f.Refused && e.Kind != Gate && !Refusal(e.Code),
		len(f.Kinds) > 0 && !slices.Contains(f.Kinds, e.Kind):
		return false
	case f.Site != "":
		return f.at(e)
	}
	return true
}

func (f Filter) at(e *Entry) bool {
	sites := make([]string, 0, 4)
	if e.Page != nil {
		sites = append(sites, e.Page.Site)
	}
	for _, address := range e.To {
		sites = append(sites, siteOf(address))
	}
	return slices.ContainsFunc(sites, func(site string) bool {
		host, _, _ := strings.Cut(site, ":")
		return site == f.Site || host == f.Site || strings.HasSuffix(host, "."+f.Site)
	})
}

// Show gives the last entries that are wanted, oldest first, at most limit. Lines that
// cannot be read are counted in bad: Verify says where they are.
func Show(dir string, f Filter, limit int) (entries []Entry, bad int, err error) {
	names, err := list(dir)
	if err != nil {
		return nil, 0, err
	}
	for _, name := range slices.Backward(names) {
		var here []Entry
		older := false
		err := lines(filepath.Join(dir, name), func(number int, line []byte) bool {
			e, err := open(line)
			if err != nil {
				bad++
				return true
			}
			older = older || number == 1 && e.At.Before(f.Since)
			if f.Wants(e) {
				here = append(here, *e)
				if len(here) >= 2*limit+16 {
					here = append(here[:0], here[len(here)-limit:]...)
				}
			}
			return true
		})
		if errors.As(err, new(tornError)) {
			bad++
		} else if err != nil {
			return nil, bad, err
		}
		entries = append(here[max(0, len(here)-(limit-len(entries))):], entries...)
		if older || len(entries) >= limit {
			break
		}
	}
	return entries, bad, nil
}

// String is the entry on one line, for people.
func (e *Entry) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %-5s %s", e.At.Local().Format("2006-01-02 15:04:05"), e.Kind, e.who())
	if e.Command != "" {
		b.WriteString("  " + e.Command)
	}
	for _, target := range e.Target {
		fmt.Fprintf(&b, " %q", target)
	}
	for _, to := range e.To {
		b.WriteString(" to " + to)
	}
	if e.Page != nil && e.Page.Site != "" {
		b.WriteString("  on " + e.Page.Site)
	}
	if e.Typed > 0 {
		fmt.Fprintf(&b, "  typed %d", e.Typed)
	}
	if e.Count > 0 {
		fmt.Fprintf(&b, "  %d times", e.Count)
	}
	for _, word := range []string{e.Effect, e.Code, e.Reason} {
		if word != "" {
			b.WriteString("  " + word)
		}
	}
	for _, name := range e.Secrets {
		b.WriteString("  secret " + name)
	}
	for _, note := range e.Notes {
		b.WriteString("  " + note)
	}
	for _, warning := range e.Warnings {
		b.WriteString("  ! " + warning)
	}
	if e.Lost > 0 {
		fmt.Fprintf(&b, "  (%d entries before it are lost)", e.Lost)
	}
	return b.String()
}

// who is whose deed it was, in a word or two.
func (e *Entry) who() string {
	name := e.Agent
	for _, other := range []string{e.Program, e.Context} {
		if name == "" {
			name = other
		}
	}
	if name == "" {
		name = "-"
	}
	if e.Face != "" {
		name += "/" + e.Face
	}
	return name
}
