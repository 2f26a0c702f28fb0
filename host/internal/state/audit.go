package state

import (
	"os"
	"path/filepath"
)

// AuditDir makes and checks the folder of the audit log (mode 0700), inside of State.
func (h *Home) AuditDir() (string, error) {
	dir := filepath.Join(h.State, "audit")
	return dir, ensureDir(dir, true)
}

// OpenAppend opens a file of ours for appending (mode 0600), and makes it where it is
// missing. Links and files that others can use are refused with FILE_ACCESS_FAILED.
func OpenAppend(path string) (*os.File, error) { return appendFile(path) }

// OpenRead opens a file of ours for reading after the same checks. The error is
// fs.ErrNotExist where there is none.
func OpenRead(path string) (*os.File, error) { return openChecked(path) }

// SyncDir makes the names in a folder of ours last, as far as the system does that.
func SyncDir(dir string) { syncDir(dir) }
