package auditlog

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// A file is named by the number of its first line: no file is ever renamed.
const (
	namePrefix = "audit-"
	nameSuffix = ".jsonl"
	tornSuffix = ".torn"
)

func nameOf(first uint64) string { return fmt.Sprintf("%s%012d%s", namePrefix, first, nameSuffix) }

// firstOf is the number in a file's name.
func firstOf(name string) (uint64, bool) {
	digits, ok := strings.CutPrefix(name, namePrefix)
	if !ok {
		return 0, false
	}
	if digits, ok = strings.CutSuffix(digits, nameSuffix); !ok || len(digits) < 12 {
		return 0, false
	}
	first, err := strconv.ParseUint(digits, 10, 64)
	return first, err == nil && nameOf(first) == name
}

// list gives the names of the log's files, oldest first.
func list(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(dir, err)
	}
	var names []string
	for _, entry := range entries {
		if _, ok := firstOf(entry.Name()); ok {
			names = append(names, entry.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return names, nil
}

func unreadable(path string, err error) error {
	if known, ok := errors.AsType[*fault.Error](err); ok {
		return known
	}
	return fault.New(fault.FileAccessFailed, "the audit log cannot be read: %v", err).With("path", path).Because(err)
}

// tornError is the end of a file that has no line break.
type tornError struct{ size int }

func (e tornError) Error() string {
	return fmt.Sprintf("it ends in the middle of a line (%d bytes)", e.size)
}

// lines gives each whole line of a file, without its line break, until each is false. The
// slice is valid until each returns. The error is a tornError where the last one is not whole.
func lines(path string, each func(number int, line []byte) bool) error {
	file, err := state.OpenRead(path)
	if err != nil {
		return unreadable(path, err)
	}
	defer file.Close() //nolint:errcheck // it is only read
	reader := bufio.NewReaderSize(file, maxLine)
	for number := 1; ; number++ {
		line, err := reader.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return tornError{len(line)}
		case errors.Is(err, bufio.ErrBufferFull):
			// No line is so long: what is there is told as it is, in pieces.
			if !each(number, line) {
				return nil
			}
			continue
		case err != nil:
			return unreadable(path, err)
		}
		if !each(number, bytes.TrimSuffix(line, []byte("\n"))) {
			return nil
		}
	}
}

// tail is how a file ends.
type tail struct {
	last *Entry // the last whole line, nil where there is none or it is damaged
	size int64  // of whole lines
	torn []byte // what comes after them
	bad  error  // what is wrong with the last whole line
}

// tailOf looks at the end of a file.
func tailOf(path string) (tail, error) {
	file, err := state.OpenRead(path)
	if err != nil {
		return tail{}, unreadable(path, err)
	}
	defer file.Close() //nolint:errcheck // it is only read
	info, err := file.Stat()
	if err != nil {
		return tail{}, unreadable(path, err)
	}
	start := max(0, info.Size()-2*maxLine)
	data, err := io.ReadAll(io.NewSectionReader(file, start, info.Size()-start))
	if err != nil {
		return tail{}, unreadable(path, err)
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	out := tail{size: start + int64(whole), torn: bytes.Clone(data[whole:])}
	if whole == 0 {
		if start > 0 {
			out.bad = errShape
		}
		return out, nil
	}
	begin := bytes.LastIndexByte(data[:whole-1], '\n') + 1
	out.last, out.bad = open(data[begin : whole-1])
	return out, nil
}

// aside keeps what was torn beside the file that it was in.
func aside(dir, name string, torn []byte) error {
	path := filepath.Join(dir, strings.TrimSuffix(name, nameSuffix)+tornSuffix)
	file, err := state.OpenAppend(path)
	if err != nil {
		return err
	}
	_, err = file.Write(append(torn, '\n'))
	return errors.Join(err, file.Close())
}
