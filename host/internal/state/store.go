package state

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// storeFormat is the version of tokens.json and apps.json.
const storeFormat = 1

const watchEvery = 200 * time.Millisecond

// store is one small JSON file of entries, shared by several processes: read
// again when the file changed, changed only under a file lock and replaced whole.
type store[T any] struct {
	path string

	mu      sync.Mutex
	loaded  bool
	stamp   fs.FileInfo // nil when there was no file
	entries []T
}

type storeFile[T any] struct {
	Format  int `json:"format"`
	Entries []T `json:"entries"`
}

// load gives the entries of now. Callers must not change them.
func (s *store[T]) load() ([]T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loadLocked()
}

func (s *store[T]) loadLocked() ([]T, error) {
	info, err := os.Lstat(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, accessFault(s.path, "cannot be looked at", err)
	}
	if err != nil {
		info = nil
	}
	if s.loaded && sameVersion(s.stamp, info) {
		return s.entries, nil
	}
	data, read, err := readChecked(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		s.loaded, s.stamp, s.entries = true, nil, nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file storeFile[T]
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, accessFault(s.path, "is damaged", err).Suggest("Move it away: mv "+quote(s.path)+" "+quote(s.path+".old"), "Then make what it held again.")
	}
	if file.Format != storeFormat {
		return nil, fault.New(fault.VersionMismatch, "%s has format %d, this program knows %d", s.path, file.Format, storeFormat).With("path", s.path)
	}
	s.loaded, s.stamp, s.entries = true, read, file.Entries
	return s.entries, nil
}

// update changes the entries under the file lock. change must not keep what it is given.
func (s *store[T]) update(ctx context.Context, change func([]T) ([]T, error)) error {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := takeLock(ctx, s.path+".lock")
	if err != nil {
		if ctx.Err() != nil {
			return fault.New(fault.Busy, "another process is changing %s", s.path).With("path", s.path).Because(err)
		}
		return err
	}
	defer lock.Release()
	s.mu.Lock()
	defer s.mu.Unlock()
	entries, err := s.loadLocked()
	if err != nil {
		return err
	}
	entries, err = change(append([]T(nil), entries...))
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(storeFile[T]{Format: storeFormat, Entries: entries}, "", "  ")
	if err != nil {
		return err
	}
	if err := WriteFile(s.path, append(data, '\n')); err != nil {
		return err
	}
	s.loaded = false
	return nil
}

// watch calls changed after each change of the file, from any process, within
// 500 ms. It blocks until ctx ends. The file is looked at rather than watched:
// it is replaced by rename, and one stat in 200 ms costs nothing.
func (s *store[T]) watch(ctx context.Context, changed func()) {
	last, _ := os.Lstat(s.path)
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now, _ := os.Lstat(s.path)
		if !sameVersion(last, now) {
			last = now
			changed()
		}
	}
}

func sameVersion(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size() && a.Mode() == b.Mode()
}

func asAccessFault(path, what string, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	return accessFault(path, what, err)
}
