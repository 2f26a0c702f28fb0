package state

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
)

// Discovery is what the running daemon says about itself, in daemon.json and in `daemon status`.
type Discovery struct {
	Pid       int    `json:"pid"`
	Version   string `json:"version"`
	Epoch     string `json:"epoch"`
	StartedAt string `json:"startedAt"` // RFC 3339
	Socket    string `json:"socket"`
	Port      int    `json:"port"`
	URL       string `json:"url"`
	HTTPURL   string `json:"httpUrl"`
	CDPURL    string `json:"cdpUrl"`
}

// WriteDiscovery publishes d.
func (h *Home) WriteDiscovery(d Discovery) error {
	data, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(h.DiscoveryPath(), append(data, '\n'))
}

// ReadDiscovery gives what the daemon published last; it may be stale, so ask
// the daemon before believing it. The error is fs.ErrNotExist where there is none.
func (h *Home) ReadDiscovery() (Discovery, error) {
	var d Discovery
	data, err := ReadFile(h.DiscoveryPath())
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return d, accessFault(h.DiscoveryPath(), "is damaged", err)
	}
	return d, nil
}

// RemoveDiscovery takes the file away; it is no error when there is none.
func (h *Home) RemoveDiscovery() error {
	if err := os.Remove(h.DiscoveryPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return accessFault(h.DiscoveryPath(), "cannot be removed", err)
	}
	return nil
}

// CDPURL is where DevTools clients come that cannot set headers: the key that stands for
// the token is in the path. Where no daemon runs, it is where one would.
func (h *Home) CDPURL(token string) string {
	base := "http://127.0.0.1:" + cmp.Or(os.Getenv("DBRIDGE_PORT"), "9224")
	if found, err := h.ReadDiscovery(); err == nil && found.CDPURL != "" {
		base = found.CDPURL
	}
	return base + "/cdp/" + PathKey(token)
}
