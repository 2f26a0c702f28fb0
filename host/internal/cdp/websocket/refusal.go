package websocket

import (
	"errors"
	"net/http"
	neturl "net/url"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// refusal says why no connection came about.
func refusal(url string, response *http.Response, cause error) error {
	var request *neturl.Error
	if errors.As(cause, &request) {
		cause = request.Err // without the address, which may hold a secret
	}
	failure := fault.New(fault.CDPDisconnected, "no DevTools connection to %s: %s", clean(url), cause).With("reason", "refused").Because(cause)
	if response != nil {
		failure = fault.New(fault.CDPDisconnected, "no DevTools connection to %s: HTTP status %s", clean(url), response.Status).
			With("reason", "http_status").With("status", response.StatusCode).Because(cause)
	}
	return failure.With("address", clean(url)).Suggest("Check that the browser still runs with its debugging port open, then send the command again.")
}

// clean takes a secret out of an address: the query and the user's password.
func clean(address string) string {
	parsed, err := neturl.Parse(address)
	if err != nil {
		return "the given address"
	}
	parsed.RawQuery = ""
	return parsed.Redacted()
}
