// Package skill is the text that teaches an agent to use dbridge, in the form of
// Agent Skills (https://agentskills.io/specification). It is versioned with the
// program, and knows of itself whether somebody changed it.
package skill

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// Name of the skill and of its folder; they must be the same.
const Name = "debug-bridge"

// File is the skill's file in its folder.
const File = "SKILL.md"

//go:embed SKILL.md
var template string

const digestMark = "{{DIGEST}}"

// Text is SKILL.md of this version.
func Text() string { return OfVersion(version.Version) }

// OfVersion is the text as another version would have written it.
func OfVersion(version string) string {
	text := strings.Replace(template, "{{VERSION}}", version, 1)
	return strings.Replace(text, digestMark, digest(text), 1)
}

// digestLength keeps the digest short: it tells a change, it guards nothing.
const digestLength = 12

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:digestLength]
}

var (
	digestLine  = lazy.MustCompile(`(?m)^  digest: "([0-9a-f]*)"$`)
	versionLine = lazy.MustCompile(`(?m)^  version: "([^"\n]*)"$`)
)

// State is what a skill that is installed is.
type State struct {
	Version string // empty: not one of ours
	Changed bool   // by hand, after it was installed
}

// Look says what an installed text is.
func Look(text string) State {
	text = strings.ReplaceAll(text, "\r\n", "\n") // as git may have left it
	found, written := versionLine.FindStringSubmatch(text), digestLine.FindStringSubmatchIndex(text)
	if found == nil || written == nil {
		return State{Changed: true}
	}
	plain := text[:written[2]] + digestMark + text[written[3]:]
	return State{Version: found[1], Changed: digest(plain) != text[written[2]:written[3]]}
}

// Newer compares versions: above 0 when a is the newer one.
func Newer(a, b string) int {
	left, right := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(left), len(right)) {
		if order := cmp.Compare(number(left, i), number(right, i)); order != 0 {
			return order
		}
	}
	return 0
}

// number is one part of a version; what is not a number counts as 0.
func number(parts []string, i int) int {
	if i >= len(parts) {
		return 0
	}
	n, err := strconv.Atoi(parts[i])
	if err != nil {
		return 0
	}
	return n
}
