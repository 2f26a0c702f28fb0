package websocket

import "net/url"

// clean takes a secret out of an address: the query and the user's password.
func clean(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "the given address"
	}
	parsed.RawQuery = ""
	return parsed.Redacted()
}
