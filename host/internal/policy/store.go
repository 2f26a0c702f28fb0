package policy

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// look is how often the file is looked at, at most.
const look = time.Second

// Store keeps the policy of a file. Use its address; the zero value has no file, and so
// permits all.
type Store struct {
	Path string // policy.toml

	mu     sync.Mutex
	looked time.Time
	seen   stamp
	policy *Policy
	err    error
}

// stamp tells one content of a file from another without reading it.
type stamp struct {
	there    bool
	size     int64
	modified time.Time
	mode     fs.FileMode
}

// Now is the policy as the file has it; a change is seen within a second. A file that is
// not understood, or that others may write, is POLICY_DENIED with details.path and
// details.line: nothing is permitted until it is corrected.
func (s *Store) Now() (*Policy, error) {
	if s == nil || s.Path == "" {
		return &Policy{}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.policy != nil && time.Since(s.looked) < look {
		return s.policy, s.err
	}
	s.looked = time.Now()
	now := stampOf(s.Path)
	if s.policy != nil && s.err == nil && now == s.seen {
		return s.policy, nil
	}
	s.seen = now
	policy, err := Load(s.Path)
	if err != nil {
		cause := fault.From(err)
		f := fault.New(fault.PolicyDenied, "nothing is permitted while the policy cannot be read: %s", cause.Message).Because(err).With("reason", "invalid_policy")
		for key, value := range cause.Details {
			f.With(key, value)
		}
		s.policy, s.err = &Policy{Path: s.Path}, f.Suggest("The person at this computer corrects "+s.Path+".", "dbridge policy check")
		return s.policy, s.err
	}
	s.policy, s.err = policy, nil
	return s.policy, nil
}

func stampOf(path string) stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{true, info.Size(), info.ModTime(), info.Mode()}
}

// Load reads the file. Where there is none, all is permitted.
func Load(path string) (*Policy, error) {
	data, err := state.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Policy{}, nil
	}
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}
