package cdp

import (
	"crypto/sha1"
	"encoding/base64"
	"net/http"
)

// standIn is a key that RFC 6455 section 4.1 allows.
const standIn = "ZGVidWctYnJpZGdlLWNkcA=="

// handshake lets in clients whose Sec-WebSocket-Key is not 16 bytes in base64, as Chrome
// does: rod sends "nil". The key proves nothing but that this is no cached answer, and the
// answer is made of the key that came.
func handshake(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, *http.Request) {
	keys := r.Header.Values("Sec-Websocket-Key")
	if len(keys) != 1 {
		return w, r
	}
	if raw, err := base64.StdEncoding.DecodeString(keys[0]); err == nil && len(raw) == 16 {
		return w, r
	}
	sum := sha1.Sum([]byte(keys[0] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) // section 4.2.2
	valid := r.Clone(r.Context())
	valid.Header.Set("Sec-Websocket-Key", standIn)
	return &accepter{w, base64.StdEncoding.EncodeToString(sum[:])}, valid
}

// accepter answers the key that the client sent.
type accepter struct {
	http.ResponseWriter
	accept string
}

func (a *accepter) WriteHeader(status int) {
	if status == http.StatusSwitchingProtocols {
		a.Header().Set("Sec-Websocket-Accept", a.accept)
	}
	a.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (a *accepter) Unwrap() http.ResponseWriter { return a.ResponseWriter }
