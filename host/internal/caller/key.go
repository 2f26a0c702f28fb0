package caller

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// The ways in which a context is found.
const (
	ByContextID = "context-id"
	ByEnv       = EnvContext
	ByGroup     = "share-group"
	ByToken     = "token"
	ByProcess   = "process"
	ByFallback  = "fallback"
)

// Key names a context. What it was made of is not shown anywhere: it may be a secret.
type Key struct {
	Name string // ctx_ and 16 hexadecimal digits
	By   string
}

// Explicit reports a key that somebody chose: it outlives the processes that used it.
func (k Key) Explicit() bool {
	return k.By == ByContextID || k.By == ByEnv || k.By == ByGroup || k.By == ByToken
}

// maxName bounds what a caller may call a context.
const maxName = 512

const keyMark = "ctx_"

// IsKey reports a name that status shows, by which an operator may reach any context.
func IsKey(name string) bool {
	digits, found := strings.CutPrefix(name, keyMark)
	return found && len(digits) == 16 && strings.Trim(digits, "0123456789abcdef") == ""
}

// Key finds the caller's context. An operator's word comes first, then the
// environment's, then a group's; who says nothing is known by the process.
func (c Caller) Key() (Key, error) {
	for _, named := range []struct{ by, value string }{{ByContextID, c.ContextID}, {ByEnv, c.ContextEnv}, {ByGroup, c.ShareGroup}, {ByToken, c.Agent}} {
		if named.value == "" {
			continue
		}
		if len(named.value) > maxName || strings.ContainsAny(named.value, "\x00\r\n") {
			return Key{}, fault.New(fault.ValidationError, "the %s is longer than %d bytes or holds a line break", named.by, maxName).
				Suggest("Choose a short name for the context.")
		}
		if named.by == ByContextID && IsKey(named.value) {
			return Key{Name: named.value, By: named.by}, nil
		}
		kind := named.by
		if kind == ByContextID {
			kind = ByEnv // the same name means the same context, whichever way it is given
		}
		return Key{Name: hashed(kind, named.value), By: named.by}, nil
	}
	if c.Anchor != 0 {
		return Key{Name: hashed(ByProcess, strconv.Itoa(c.Anchor), c.AnchorAt, c.TTY, c.Workspace), By: ByProcess}, nil
	}
	where := c.Workspace
	if where == "" {
		where = c.Cwd
	}
	if where == "" {
		return Key{}, fault.New(fault.ContextResolutionFailed, "neither a long-lived parent process nor a folder tells who runs this command").
			Suggest("Set "+EnvContext+" to a name of your own.", "Or give --share-group NAME.")
	}
	return Key{Name: hashed(ByFallback, where), By: ByFallback}, nil
}

func hashed(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	return keyMark + hex.EncodeToString(sum.Sum(nil)[:8])
}
