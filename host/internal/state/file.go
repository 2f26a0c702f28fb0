package state

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile bounds what is read back: these files hold a few hundred entries.
const maxFile = 8 << 20

// maxLog is the size at which the log is set aside when the daemon opens it.
const maxLog = 10 << 20

// WriteFile replaces path whole, mode 0600, or leaves it as it was.
func WriteFile(path string, data []byte) error {
	dir := filepath.Dir(path)
	temp, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*") // created with mode 0600, never through a link
	if err != nil {
		return accessFault(path, "cannot be written", err)
	}
	done := false
	defer func() {
		if !done {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if _, err := temp.Write(data); err != nil {
		return accessFault(path, "cannot be written", err)
	}
	if err := temp.Sync(); err != nil {
		return accessFault(path, "cannot be written", err)
	}
	if err := temp.Close(); err != nil {
		return accessFault(path, "cannot be written", err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return accessFault(path, "cannot be replaced", err)
	}
	done = true
	syncDir(dir)
	return nil
}

// ReadFile reads a file of ours after checking it. The error is fs.ErrNotExist where there is none.
func ReadFile(path string) ([]byte, error) {
	data, _, err := readChecked(path)
	return data, err
}

func readChecked(path string) ([]byte, fs.FileInfo, error) {
	file, err := openChecked(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		return nil, nil, asAccessFault(path, "cannot be opened", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, nil, accessFault(path, "cannot be looked at", err)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, nil, accessFault(path, "cannot be read", err)
	}
	if len(data) > maxFile {
		return nil, nil, accessFault(path, "is larger than any file of this kind can be", nil)
	}
	return data, info, nil
}

// OpenLog opens the log for appending (mode 0600). With rotate, a log over
// 10 MiB is first set aside as dbridge.log.1; only the daemon rotates.
func (h *Home) OpenLog(rotate bool) (*os.File, error) {
	path := h.LogPath()
	if rotate {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.Size() > maxLog {
			if err := os.Rename(path, path+".1"); err != nil {
				return nil, accessFault(path, "cannot be set aside", err)
			}
		}
	}
	return appendFile(path)
}
