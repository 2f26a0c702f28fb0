// Package version is the single source of the product's version.
package version

// Version of the program, the extension and the link between them.
const Version = "0.1.0"

// Commit is set by release builds: -ldflags "-X …/host/internal/version.Commit=HASH".
var Commit = ""

// String gives the version as people write it, with the commit where it is known.
func String() string {
	if Commit == "" {
		return Version
	}
	return Version + " (" + Commit + ")"
}

// Header tells the version of who speaks, on the local API.
const Header = "Dbridge-Version"
