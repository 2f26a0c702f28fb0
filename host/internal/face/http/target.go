package http

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/debug-bridge/debug-bridge/host/internal/page"
)

// targets names pages as older clients do, by a string. The name stays for the page's
// life and cannot be guessed: its key is made with the daemon.
type targets struct{ key [32]byte }

func (t *targets) of(tab *page.Tab) string {
	sum := hmac.New(sha256.New, t.key[:])
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], uint64(tab.PageID()))
	sum.Write(number[:])
	return "t" + hex.EncodeToString(sum.Sum(nil)[:8])
}
