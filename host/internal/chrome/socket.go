package chrome

import (
	"os"
	"path/filepath"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// Chrome puts the socket by which a second start finds the first into a folder of its
// own under the temporary directory, because paths of sockets are short, and links to it
// from the profile. A killed browser leaves the folder.
var socketFolder = lazy.MustCompile(`^\.?(org\.chromium\.Chromium|com\.google\.Chrome(\.[a-z]+)?)\.\w{6}$`)

// ClearSocket removes what a browser that has ended left of its profile's socket.
func ClearSocket(userDataDir string) {
	target, err := os.Readlink(filepath.Join(userDataDir, "SingletonSocket"))
	if err != nil {
		return
	}
	folder := filepath.Dir(target)
	if !filepath.IsAbs(target) || !socketFolder.MatchString(filepath.Base(folder)) {
		return
	}
	for _, name := range []string{"SingletonSocket", "SingletonCookie"} {
		_ = os.Remove(filepath.Join(folder, name))
	}
	_ = os.Remove(folder) // empty, or not Chrome's
}
