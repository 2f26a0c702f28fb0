package state

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Output is a file that a command writes where its caller said. It appears under
// its name whole, with Commit, or not at all.
type Output struct {
	path      string
	overwrite bool
	temp      *os.File
	size      int64
	done      bool

	seen   func([]byte)
	begun  bool
	stream *redact.Stream // nil: nothing is to be masked
}

// Seen has see hear what is written, as it gets into the file: without the values of
// secrets. Size is right, and all was heard, after Finish.
func (o *Output) Seen(see func([]byte)) { o.seen = see }

// Finish writes what was kept back to look for secrets in it. Commit does it, too.
func (o *Output) Finish() error {
	if o.stream == nil {
		return nil
	}
	return o.stream.Close()
}

// OpenOutput starts a file (mode 0600). A relative name is the caller's, from cwd.
// The folder must exist; the file itself may only with overwrite, and then as a
// regular file: never a link, a folder or a device. Close it whatever happens.
func OpenOutput(cwd, name string, overwrite bool) (*Output, error) {
	path, err := outputPath(cwd, name)
	if err != nil {
		return nil, err
	}
	if err := mayReplace(path, overwrite); err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".dbridge-*.part") // mode 0600, never through a link
	if err != nil {
		return nil, outputFault(path, "cannot be written", err)
	}
	return &Output{path: path, overwrite: overwrite, temp: temp}, nil
}

// Path is the absolute name that the file will have.
func (o *Output) Path() string { return o.path }

// Size is how much was written.
func (o *Output) Size() int64 { return o.size }

// Write writes on, text without the values of secrets; a full disk is a fault with the
// reason disk_full.
func (o *Output) Write(data []byte) (int, error) {
	if !o.begun && len(data) > 0 {
		o.begun, o.stream = true, redact.NewFileStream(rawOutput{o}, data)
	}
	if o.stream != nil {
		return o.stream.Write(data)
	}
	return rawOutput{o}.Write(data)
}

// rawOutput is the file itself.
type rawOutput struct{ *Output }

func (o rawOutput) Write(data []byte) (int, error) {
	n, err := o.temp.Write(data)
	o.size += int64(n)
	if o.seen != nil {
		o.seen(data[:n])
	}
	if err != nil {
		return n, outputFault(o.path, "cannot be written", err)
	}
	return n, nil
}

// Commit gives the file its name.
func (o *Output) Commit() error {
	if err := o.Finish(); err != nil {
		return err
	}
	if err := o.temp.Sync(); err != nil {
		return outputFault(o.path, "cannot be written", err)
	}
	if err := o.temp.Close(); err != nil {
		return outputFault(o.path, "cannot be written", err)
	}
	// Who made the file meanwhile keeps it: a link to a name that is taken fails.
	if !o.overwrite {
		err := os.Link(o.temp.Name(), o.path)
		if errors.Is(err, fs.ErrExist) {
			return taken(o.path)
		}
		if err == nil {
			o.done = true
			_ = os.Remove(o.temp.Name()) // the file has its name; what is left of the other is a hidden one
			syncDir(filepath.Dir(o.path))
			return nil
		}
		// File systems without hard links: look, then rename.
	}
	if err := mayReplace(o.path, o.overwrite); err != nil {
		return err
	}
	if err := os.Rename(o.temp.Name(), o.path); err != nil {
		return outputFault(o.path, "cannot be put in place", err)
	}
	o.done = true
	syncDir(filepath.Dir(o.path))
	return nil
}

// Close throws away what was not committed.
func (o *Output) Close() error {
	if o.done {
		return nil
	}
	o.done = true
	_ = o.temp.Close() // closed already where Commit failed
	if err := os.Remove(o.temp.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return outputFault(o.temp.Name(), "cannot be removed", err)
	}
	return nil
}

// WriteOutput writes a whole file and gives its absolute name.
func WriteOutput(cwd, name string, overwrite bool, data []byte) (string, error) {
	out, err := OpenOutput(cwd, name, overwrite)
	if err != nil {
		return "", err
	}
	defer out.Close()
	if _, err := out.Write(data); err != nil {
		return "", err
	}
	return out.path, out.Commit()
}

func outputPath(cwd, name string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", fault.New(fault.ValidationError, "the file name %q %s", name, why).Suggest("Give --file a path such as ./capture.png.")
	}
	switch {
	case strings.TrimSpace(name) == "":
		return refuse("is empty")
	case strings.ContainsRune(name, 0):
		return refuse("holds a zero byte")
	case name == "-":
		return refuse("means standard output, which holds the answer")
	case os.IsPathSeparator(name[len(name)-1]):
		return refuse("names a folder")
	}
	path := name
	if !filepath.IsAbs(path) {
		if cwd == "" {
			return refuse("is relative, and the caller has no working folder")
		}
		path = filepath.Join(cwd, path)
	}
	path = filepath.Clean(path)
	if runtime.GOOS == "windows" && reserved(filepath.Base(path)) {
		return refuse("is reserved by Windows")
	}
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", accessFault(dir, "does not exist", nil).With("reason", "no_folder").Suggest("mkdir -p " + quote(dir))
	case err != nil:
		return "", outputFault(dir, "cannot be looked at", err)
	case !info.IsDir():
		return "", accessFault(dir, "is not a folder", nil).With("reason", "no_folder")
	}
	return path, nil
}

var reservedNames = lazy.MustCompile(`(?i)^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)`)

// reserved reports whether Windows would take the name for a device, a stream or another file.
func reserved(base string) bool {
	return reservedNames.MatchString(strings.TrimRight(base, " .")) || strings.TrimRight(base, " .") != base || strings.ContainsAny(base, `<>:"|?*`)
}

func mayReplace(path string, overwrite bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return outputFault(path, "cannot be looked at", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return accessFault(path, "is a symbolic link", nil).With("reason", "link").Suggest("Name the file itself, or another one.")
	case info.IsDir():
		return accessFault(path, "is a folder", nil).With("reason", "folder").Suggest("Name a file in it.")
	case !info.Mode().IsRegular():
		return accessFault(path, "is not a regular file", nil).With("reason", "device").Suggest("Name a regular file.")
	case !overwrite:
		return taken(path)
	}
	return nil
}

func taken(path string) *fault.Error {
	return accessFault(path, "exists", nil).With("reason", "exists").Suggest("Run it again with --overwrite, or give another --file.")
}

// outputFault is accessFault for a file that the caller named.
func outputFault(path, what string, err error) *fault.Error {
	f := accessFault(path, what, err)
	if errors.Is(err, fs.ErrPermission) {
		return f.With("reason", "denied").Suggest("Write to a folder of yours.")
	}
	return f
}

func diskFull(err error) bool {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	// ERROR_HANDLE_DISK_FULL and ERROR_DISK_FULL
	return runtime.GOOS == "windows" && (errors.Is(err, syscall.Errno(39)) || errors.Is(err, syscall.Errno(112)))
}
