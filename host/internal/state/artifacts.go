package state

import (
	"errors"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// How much is kept of what commands made without being told where: the oldest go first.
const (
	MaxArtifacts   = 200
	MaxArtifactAge = 7 * 24 * time.Hour
)

// Artifacts is a folder of screenshots, traces and other files that commands make,
// one folder in it a day. Only those are ever removed.
type Artifacts struct {
	dir      string
	maxFiles int
	maxAge   time.Duration
	now      func() time.Time
}

// OpenArtifacts takes a folder as artifacts; it is made with the first file.
func OpenArtifacts(dir string) *Artifacts {
	return &Artifacts{dir: dir, maxFiles: MaxArtifacts, maxAge: MaxArtifactAge, now: time.Now}
}

// Create starts a file of a kind, as screenshot-153012-042.png in today's folder. Call
// Tidy when it is committed.
func (a *Artifacts) Create(kind, extension string) (*Output, error) {
	if a.dir == "" {
		return nil, accessFault("the artifacts", "have no folder", nil).Suggest("Give --file.")
	}
	at := a.now()
	day := filepath.Join(a.dir, at.Format(time.DateOnly))
	if err := ensureDir(day, true); err != nil {
		return nil, err
	}
	name := kind + "-" + at.Format("150405.000")
	name = name[:len(name)-4] + "-" + name[len(name)-3:]
	for n := 1; ; n++ {
		full := name
		if n > 1 {
			full += "-" + strconv.Itoa(n)
		}
		path := filepath.Join(day, full+"."+extension)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return OpenOutput("", path, false)
		} else if err != nil || n > 100 {
			return nil, accessFault(path, "cannot be made", err)
		}
	}
}

// Write makes a file of a kind and removes what is too old or too much.
func (a *Artifacts) Write(kind, extension string, data []byte) (string, error) {
	out, err := a.Create(kind, extension)
	if err != nil {
		return "", err
	}
	defer out.Close()
	if _, err := out.Write(data); err != nil {
		return "", err
	}
	if err := out.Commit(); err != nil {
		return "", err
	}
	return out.Path(), a.Tidy()
}

// tidying is held while old files are removed: two at once would count the same ones.
var tidying sync.Mutex

var dayName = lazy.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// Tidy removes files beyond the count and the age, the oldest first, and days that are empty.
func (a *Artifacts) Tidy() error {
	tidying.Lock()
	defer tidying.Unlock()
	days, err := os.ReadDir(a.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return accessFault(a.dir, "cannot be read", err)
	}
	type file struct {
		path string
		at   time.Time
	}
	var files []file
	var folders []string
	for _, day := range days {
		if !day.IsDir() || !dayName.MatchString(day.Name()) {
			continue
		}
		folder := filepath.Join(a.dir, day.Name())
		folders = append(folders, folder)
		entries, err := os.ReadDir(folder)
		if err != nil {
			return accessFault(folder, "cannot be read", err)
		}
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
				files = append(files, file{filepath.Join(folder, entry.Name()), info.ModTime()})
			}
		}
	}
	slices.SortFunc(files, func(x, y file) int { return x.at.Compare(y.at) })
	oldest := a.now().Add(-a.maxAge)
	for i, f := range files {
		if len(files)-i <= a.maxFiles && !f.at.Before(oldest) {
			break
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return accessFault(f.path, "cannot be removed", err)
		}
	}
	today := a.now().Format(time.DateOnly)
	for _, folder := range folders {
		if filepath.Base(folder) != today {
			_ = os.Remove(folder) // fails, as it should, where something is left in it
		}
	}
	return nil
}
