package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	// maxLogRead is how much of the log's end is looked at for its last lines.
	maxLogRead  = 4 << 20
	followEvery = 200 * time.Millisecond
)

type logsData struct {
	Path  string   `json:"path"`
	Lines []string `json:"lines"`
}

func (a *app) daemonLogs(ctx context.Context, count int, follow bool) error {
	if count < 0 {
		return fault.New(fault.ValidationError, "-n %d is not a number of lines", count).Suggest("Give 0 or more: `dbridge daemon logs -n 50`")
	}
	home, err := state.Open()
	if err != nil {
		return err
	}
	path := home.LogPath()
	lines, offset, err := lastLines(path, count)
	if err != nil {
		return err
	}
	if !follow {
		text := strings.Join(clean(lines), "\n")
		if len(lines) == 0 {
			text = "The log is empty: " + path
		}
		return a.printer.Success(logsData{Path: path, Lines: lines}, text, a.meta)
	}
	for _, line := range lines {
		if err := a.printer.Line([]byte(line)); err != nil {
			return err
		}
	}
	return a.follow(ctx, path, offset)
}

func clean(lines []string) []string {
	cleaned := make([]string, len(lines))
	for i, line := range lines {
		cleaned[i] = pagetext.Line(line)
	}
	return cleaned
}

// lastLines reads the end of a file, and tells where the next line begins.
func lastLines(path string, count int) ([]string, int64, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return []string{}, 0, nil
	}
	if err != nil {
		return nil, 0, fault.New(fault.FileAccessFailed, "the log cannot be read: %v", err).With("path", path).Because(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, fault.From(err)
	}
	start := max(0, info.Size()-maxLogRead)
	data, err := io.ReadAll(io.NewSectionReader(file, start, info.Size()-start))
	if err != nil {
		return nil, 0, fault.New(fault.FileAccessFailed, "the log cannot be read: %v", err).With("path", path).Because(err)
	}
	if start > 0 {
		data = data[bytes.IndexByte(data, '\n')+1:]
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	next := info.Size() - int64(len(data)-whole)
	lines := []string{}
	for line := range bytes.Lines(data[:whole]) {
		lines = append(lines, strings.TrimRight(string(line), "\r\n"))
	}
	return lines[max(0, len(lines)-count):], next, nil
}

// follow prints lines as they come. A log that was set aside is read from its new start.
func (a *app) follow(ctx context.Context, path string, offset int64) error {
	ticker := time.NewTicker(followEvery)
	defer ticker.Stop()
	var last fs.FileInfo
	for {
		if info, err := os.Stat(path); err == nil {
			if info.Size() < offset || (last != nil && !os.SameFile(last, info)) {
				offset = 0
			}
			last = info
			if info.Size() > offset {
				read, err := a.printNew(path, offset)
				if err != nil {
					return err
				}
				offset += read
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

func (a *app) printNew(path string, offset int64) (int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, nil // set aside in this moment; the next look finds the new one
	}
	defer file.Close()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return 0, fault.From(err)
	}
	reader := bufio.NewReader(file)
	var read int64
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return read, nil // what is not a whole line yet is read again
		}
		read += int64(len(line))
		if a.printer.Format == output.Text {
			line = []byte(pagetext.Line(strings.TrimRight(string(line), "\r\n")))
		}
		if err := a.printer.Line(bytes.TrimRight(line, "\r\n")); err != nil {
			return read, err
		}
	}
}
