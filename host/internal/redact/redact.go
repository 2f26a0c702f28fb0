// Package redact masks secrets in what leaves the product: one table of rules that
// every sink uses. It errs on the side of masking: a short word that looks like a secret
// costs an agent nothing, a leaked one cannot be taken back.
//
// What was masked is marked Mark, in its place; names and structure stay. The values that
// the person gave by name (Know) are found in every form, by all of it and by what stands
// last in front of every sink (KnownJSON, KnownText, Stream), and marked with their name.
package redact

import (
	"net/url"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// Mark stands where a secret was.
const Mark = "[redacted]"

// secretNames are words that make the value beside them a secret: names of query
// parameters, of form and JSON members, of headers. They are looked for as whole
// words of a name: access_token, accessToken and X-Access-Token all hold "token".
var secretNames = map[string]bool{
	"password": true, "passwd": true, "passphrase": true, "passcode": true, "pwd": true, "pass": true,
	"secret": true, "token": true, "jwt": true, "bearer": true, "credential": true, "credentials": true,
	"apikey": true, "authorization": true, "cookie": true, "cookies": true, "otp": true, "pin": true, "cvc": true, "cvv": true, "csc": true,
	"session": true, "sessionid": true, "sid": true, "jsessionid": true, "phpsessid": true, "signature": true, "sig": true, "csrf": true, "xsrf": true,
	"cardnumber": true, "assertion": true, "samlresponse": true, "samlrequest": true, "accesstoken": true, "refreshtoken": true, "idtoken": true,
	"authtoken": true, "clientsecret": true, "privatekey": true, "accesskey": true, "auth": true,
}

// secretPairs are two words that are a secret only together.
var secretPairs = map[[2]string]bool{
	{"api", "key"}: true, {"private", "key"}: true, {"access", "key"}: true, {"secret", "key"}: true, {"account", "key"}: true,
	{"card", "number"}: true, {"session", "id"}: true, {"auth", "code"}: true, {"authorization", "code"}: true, {"verification", "code"}: true,
	{"security", "code"}: true, {"one", "time"}: true, {"cc", "number"}: true,
}

// plainPairs are two words of which the second alone would be a secret's name.
var plainPairs = map[[2]string]bool{
	{"token", "type"}: true, {"token", "count"}: true, {"tokens", "used"}: true, {"session", "storage"}: true, {"cookie", "policy"}: true,
	{"max", "tokens"}: true, {"pass", "rate"}: true, {"pass", "count"}: true, {"password", "length"}: true, {"auth", "type"}: true, {"auth", "method"}: true,
	{"session", "count"}: true, {"cookies", "enabled"}: true, {"cookie", "enabled"}: true, {"cookie", "consent"}: true,
}

// Name reports whether the value of that name is a secret.
func Name(name string) bool {
	words := split(name)
	for i, word := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if plainPairs[[2]string{word, next}] {
			return false
		}
		if secretNames[word] || secretPairs[[2]string{word, next}] {
			return true
		}
	}
	return false
}

// split gives the words of a name in any of the usual spellings, in lower case.
func split(name string) []string {
	var words []string
	start := -1
	flush := func(end int) {
		if start >= 0 && end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
		start = -1
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		upper := c >= 'A' && c <= 'Z'
		switch {
		case !letter:
			flush(i)
		case start < 0:
			start = i
		case upper && !(name[i-1] >= 'A' && name[i-1] <= 'Z'):
			flush(i)
			start = i
		}
	}
	flush(len(name))
	return words
}

// keptHeaders have a secret word in their name and no secret in their value.
var keptHeaders = map[string]bool{
	"access-control-allow-credentials": true, "access-control-allow-headers": true, "access-control-expose-headers": true,
	"access-control-request-headers": true, "www-authenticate": true, "sec-session-registration": true,
}

// Header masks the value of a header: the scheme of Authorization and the names
// and attributes of cookies stay.
func Header(name, value string) string {
	lower := strings.ToLower(name)
	switch {
	case lower == "authorization" || lower == "proxy-authorization":
		scheme, _, found := strings.Cut(value, " ")
		if !found || len(scheme) > 20 {
			return Mark
		}
		return scheme + " " + Mark
	case lower == "cookie":
		parts := strings.Split(value, ";")
		for i, part := range parts {
			name, _, found := strings.Cut(part, "=")
			if found {
				parts[i] = name + "=" + Mark
			} else {
				parts[i] = Mark
			}
		}
		return strings.Join(parts, ";")
	case lower == "set-cookie":
		lines := strings.Split(value, "\n") // CDP joins several so
		for i, line := range lines {
			pair, rest, more := strings.Cut(line, ";")
			name, _, _ := strings.Cut(pair, "=")
			lines[i] = name + "=" + Mark
			if more {
				lines[i] += ";" + rest
			}
		}
		return strings.Join(lines, "\n")
	case lower == "location" || lower == "referer" || lower == "content-location" || lower == ":path" || lower == "link":
		return Text(URL(value))
	case keptHeaders[lower]:
		return value
	case Name(lower):
		return Mark
	}
	return Text(value)
}

// urlNames are secrets in an address, beside those of Name.
var urlNames = map[string]bool{"code": true, "key": true, "ticket": true, "x-amz-credential": true, "x-amz-signature": true, "x-amz-security-token": true, "x-goog-signature": true, "se": false}

// URL masks the secrets of an address: the user's password, parameters of the
// query and of the fragment. The rest keeps its spelling.
func URL(address string) string {
	if strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:") {
		return Known(address)
	}
	address = Known(address)
	head, fragment, hasFragment := strings.Cut(address, "#")
	path, query, hasQuery := strings.Cut(head, "?")
	if scheme, rest, found := strings.Cut(path, "://"); found {
		host, tail, slash := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = Mark + host[at:]
		}
		path = scheme + "://" + host
		if slash {
			path += "/" + tail
		}
	}
	path = tokens(path)
	if hasQuery {
		path += "?" + pairs(query, true)
	}
	if hasFragment {
		path += "#" + pairs(fragment, true)
	}
	return path
}

// pairs masks name=value&name=value.
func pairs(text string, address bool) string {
	if !strings.Contains(text, "=") {
		return tokens(text)
	}
	parts := strings.Split(text, "&")
	for i, part := range parts {
		raw, value, found := strings.Cut(part, "=")
		name, err := url.QueryUnescape(raw)
		if err != nil {
			name = raw
		}
		if found && value != "" && (Name(name) || address && urlNames[strings.ToLower(name)]) {
			parts[i] = raw + "=" + Mark
		} else {
			parts[i] = tokens(part)
		}
	}
	return strings.Join(parts, "&")
}

// shapes are secrets by their looks, wherever they stand.
var shapes = []struct {
	hint string // must be in the text (lower case is not folded): most text is done with this
	at   *lazy.Regexp
}{
	{"eyJ", lazy.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`)}, // RFC 7519: base64url of {"
	{"AKIA", lazy.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)},                                          // AWS access key id
	{"ASIA", lazy.MustCompile(`\bASIA[0-9A-Z]{16}\b`)},
	{"AIza", lazy.MustCompile(`\bAIza[0-9A-Za-z_-]{35}`)},               // Google API key
	{"gh", lazy.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{20,}`)},            // GitHub
	{"github_pat_", lazy.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{20,}`)}, // GitHub, fine-grained
	{"glpat-", lazy.MustCompile(`\bglpat-[A-Za-z0-9_-]{16,}`)},          // GitLab
	{"xox", lazy.MustCompile(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`)},       // Slack
	{"sk-", lazy.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`)},                // model providers
	{"k_", lazy.MustCompile(`\b[srp]k_(?:live|test)_[A-Za-z0-9]{10,}`)}, // Stripe
	{"npm_", lazy.MustCompile(`\bnpm_[A-Za-z0-9]{30,}`)},                // npm
	{"ya29.", lazy.MustCompile(`\bya29\.[A-Za-z0-9_-]{20,}`)},           // Google OAuth
	{"-----BEGIN", lazy.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)},
	{"earer ", lazy.MustCompile(`(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{8,}`)},
	{"asic ", lazy.MustCompile(`\b[Bb]asic\s+[A-Za-z0-9+/]{8,}={0,2}`)},
}

// tokens masks what is a secret by its looks.
func tokens(text string) string {
	for _, shape := range shapes {
		if strings.Contains(text, shape.hint) {
			text = shape.at.ReplaceAllStringFunc(text, func(found string) string {
				if word, _, two := strings.Cut(found, " "); two && (strings.EqualFold(word, "bearer") || strings.EqualFold(word, "basic")) {
					return word + " " + Mark
				}
				return Mark
			})
		}
	}
	return text
}

// addresses in text.
var addresses = lazy.MustCompile(`\b(?:https?|wss?|ftp)://[^\s"'<>\\` + "`" + `]+`)

// members are name: value of JSON, of JavaScript objects and of plain words:
// the name, the separator, then a quoted or a bare value.
var members = lazy.MustCompile(`(["']?)([A-Za-z][A-Za-z0-9_.-]{1,60})(\\*["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\\+"[^"\\]*\\+"|[^\s"',;&}\])]+)`)

// Text masks secrets in any text: console lines, JSON, form bodies, stacks.
func Text(text string) string {
	if len(text) < 4 {
		return text
	}
	text = cards(tokens(Known(text))) // before a name takes the first digits of a number
	if strings.Contains(text, "://") {
		text = addresses.ReplaceAllStringFunc(text, URL)
	}
	if strings.ContainsAny(text, ":=") && hinted(text) {
		text = members.ReplaceAllStringFunc(text, member)
	}
	return text
}

// Code masks what is a secret by its looks, and addresses, in styles and code: there a
// name such as --token-colour says nothing.
func Code(text string) string {
	text = tokens(Known(text))
	if strings.Contains(text, "://") {
		text = addresses.ReplaceAllStringFunc(text, URL)
	}
	return text
}

// hints are parts of all secret names: text without any of them has no secret member.
var hints = []string{"pass", "pwd", "secret", "token", "jwt", "bearer", "credential", "key", "auth", "cookie", "otp", "pin", "cv", "csc", "sess", "sid", "sig", "srf", "number", "assertion", "saml", "code", "one"}

func hinted(text string) bool {
	lower := strings.ToLower(text)
	for _, hint := range hints {
		if strings.Contains(lower, hint) {
			return true
		}
	}
	return false
}

func member(found string) string {
	part := members.FindStringSubmatch(found)
	if part == nil {
		return found
	}
	value := part[4]
	if part[2] == "secret" && strings.Contains(value, "»") { // of a known value, masked already
		return found
	}
	if !Name(part[2]) {
		// What is quoted may be JSON or a form itself.
		if len(value) > 6 && (value[0] == '"' || value[0] == '\'') && strings.ContainsAny(value, ":=") {
			return found[:len(found)-len(value)+1] + members.ReplaceAllStringFunc(value[1:len(value)-1], member) + value[len(value)-1:]
		}
		return found
	}
	switch {
	case strings.HasPrefix(value, "//"): // a scheme, not a member
		return found
	case value == "true" || value == "false" || value == "null" || value == "undefined" || value == "{" || value == "[" || value == `""` || value == "''":
		return found
	case strings.HasPrefix(value, "{") || strings.HasPrefix(value, "["):
		return found // what is in it is looked at by its own names
	}
	quote := ""
	if i := strings.IndexAny(value, `"'`); i >= 0 && strings.Trim(value[:i], `\`) == "" {
		quote = value[:i+1]
	}
	return part[1] + part[2] + part[3] + quote + Mark + quote
}

// digits are runs as card numbers are written.
var digits = lazy.MustCompile(`\b\d(?:[ -]?\d){12,18}\b`)

// cards masks numbers of payment cards: 13 to 19 digits of a known issuer with the right check digit.
func cards(text string) string {
	if !manyDigits(text) {
		return text
	}
	return digits.ReplaceAllStringFunc(text, func(found string) string {
		number := strings.NewReplacer(" ", "", "-", "").Replace(found)
		if len(number) < 13 || len(number) > 19 || !strings.ContainsRune("3456", rune(number[0])) || !luhn(number) {
			return found
		}
		return Mark
	})
}

func manyDigits(text string) bool {
	run := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			if run++; run >= 13 {
				return true
			}
		case c != ' ' && c != '-':
			run = 0
		}
	}
	return false
}

// luhn is the check digit of ISO/IEC 7812.
func luhn(number string) bool {
	sum, double := 0, false
	for i := len(number) - 1; i >= 0; i-- {
		d := int(number[i] - '0')
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		double = !double
	}
	return sum%10 == 0
}
