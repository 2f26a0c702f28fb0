package socket

import (
	"encoding/base64"
	"net/http"
	"net/textproto"
	"strings"
)

// Acceptable checks the handshake, so that the library, whose answers name it,
// never refuses one. It gives the status to refuse it with, or 0.
func Acceptable(r *http.Request) int {
	if r.Method != http.MethodGet {
		return http.StatusMethodNotAllowed
	}
	if !hasToken(r.Header["Connection"], "upgrade") || !hasToken(r.Header["Upgrade"], "websocket") || !r.ProtoAtLeast(1, 1) {
		return http.StatusUpgradeRequired
	}
	keys := r.Header["Sec-Websocket-Key"]
	if len(keys) != 1 || r.Header.Get("Sec-Websocket-Version") != "13" || len(r.Header["Sec-Websocket-Version"]) != 1 {
		return http.StatusBadRequest
	}
	if raw, err := base64.StdEncoding.DecodeString(textproto.TrimString(keys[0])); err != nil || len(raw) != 16 {
		return http.StatusBadRequest
	}
	return 0
}

func hasToken(lines []string, token string) bool {
	for _, line := range lines {
		for _, one := range strings.Split(line, ",") {
			if strings.EqualFold(textproto.TrimString(one), token) {
				return true
			}
		}
	}
	return false
}
