// Package manifests holds what browsers need to know of the native messaging
// host: the host manifest and the table of places (operating system × browser)
// where each browser looks for it.
//
// It does no I/O and imports nothing of ours. Package install turns the table
// into a plan, package doctor checks the result.
package manifests

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
)

// Names that the manifest, the extension and the host must agree on.
const (
	// HostName is the name that the extension passes to connectNative.
	HostName = "com.debugbridge.host"
	// ExtensionID follows from the "key" in the extension's manifest (see IDOfKey).
	ExtensionID = "adekpkjellmapdlcbnonkejdenognpik"
	// FileName of the host manifest.
	FileName = HostName + ".json"
	// FolderName is the folder of host manifests inside a user data directory.
	FolderName = "NativeMessagingHosts"
)

// Host is a native messaging host manifest.
// https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host
type Host struct {
	Name           string   `json:"name"`
	Description    string   `json:"description"`
	Path           string   `json:"path"`
	Type           string   `json:"type"`
	AllowedOrigins []string `json:"allowed_origins"`
}

// New gives the manifest that lets our extension start the binary at path.
func New(path string) Host {
	return Host{
		Name:           HostName,
		Description:    "Debug Bridge: lets the extension talk to dbridge on this computer",
		Path:           path,
		Type:           "stdio",
		AllowedOrigins: []string{Origin(ExtensionID)},
	}
}

// Origin is how allowed_origins and argv[1] of the host name an extension.
func Origin(id string) string { return "chrome-extension://" + id + "/" }

// Encode gives the manifest's bytes: indented JSON with a final newline, the same for the same manifest.
func (h Host) Encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // a path may hold & and is read by people too
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(h); err != nil {
		return nil, fmt.Errorf("host manifest: %w", err)
	}
	return out.Bytes(), nil
}

// Parse reads a host manifest and checks what every browser checks: JSON, the name, the type and a path.
func Parse(data []byte) (Host, error) {
	var host Host
	if err := json.Unmarshal(data, &host); err != nil {
		return Host{}, fmt.Errorf("not valid JSON: %w", err)
	}
	switch {
	case host.Name != HostName:
		return host, fmt.Errorf("its name is %q, not %q", host.Name, HostName)
	case host.Type != "stdio":
		return host, fmt.Errorf("its type is %q, not \"stdio\"", host.Type)
	case host.Path == "":
		return host, errors.New("it has no path")
	}
	return host, nil
}

// Allows reports whether the manifest lets the extension in. Browsers compare the whole origin, slash included.
func (h Host) Allows(id string) bool {
	for _, origin := range h.AllowedOrigins {
		if origin == Origin(id) {
			return true
		}
	}
	return false
}

// IDOfKey derives an extension's id from the base64 "key" of its manifest: the
// first 16 bytes of the SHA-256 of the public key, each half-byte as a letter a–p.
func IDOfKey(key string) (string, error) {
	der, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		return "", fmt.Errorf("extension key: %w", err)
	}
	sum := sha256.Sum256(der)
	id := make([]byte, 0, 32)
	for _, b := range sum[:16] {
		id = append(id, 'a'+b>>4, 'a'+b&15)
	}
	return string(id), nil
}
