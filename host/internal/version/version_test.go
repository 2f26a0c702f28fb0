package version

import (
	"regexp"
	"testing"
)

func TestVersionIsSemantic(t *testing.T) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(Version) {
		t.Fatalf("Version %q is not of the form 1.2.3", Version)
	}
}

func TestString(t *testing.T) {
	t.Cleanup(func() { Commit = "" })
	if got := String(); got != Version {
		t.Fatalf("without a commit: %q", got)
	}
	Commit = "abc1234"
	if got := String(); got != Version+" (abc1234)" {
		t.Fatalf("with a commit: %q", got)
	}
}
