package state

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// TokenPrefix makes a token recognisable, to people and to secret scanners.
const TokenPrefix = "dbt_"

const (
	tokenBytes = 32
	maxTokens  = 1000
)

// The roles of a token.
const (
	RoleAgent = "agent"
	RoleApp   = "app"
	RoleAny   = "any"
)

var tokenName = lazy.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// Token is what is known of a token: all but the token itself, of which only a hash is kept.
type Token struct {
	Name      string         `json:"name"`
	Role      string         `json:"role"`
	Level     protocol.Level `json:"level"`
	Origin    string         `json:"origin,omitempty"` // the one web origin that may present it
	CreatedAt time.Time      `json:"createdAt"`
	Hash      string         `json:"hash,omitempty"`    // SHA-256 in hex; a token has 256 random bits, so no salt or stretching
	KeyHash   string         `json:"keyHash,omitempty"` // the same of PathKey
}

// Allows reports whether the token may be used in role.
func (t Token) Allows(role string) bool { return t.Role == RoleAny || t.Role == role }

// Tokens is the token store. Safe for concurrent use, by several processes too.
type Tokens struct{ store store[Token] }

// Tokens opens the token store; the file is made with the first token.
func (h *Home) Tokens() *Tokens { return &Tokens{store: store[Token]{path: h.TokensPath()}} }

// New makes a token. Empty role and level mean agent and control: what a token
// may do is always bounded by the level that the person granted to the tab.
func (t *Tokens) New(ctx context.Context, name, role, level, origin string) (string, Token, error) {
	if !tokenName.MatchString(name) {
		return "", Token{}, fault.New(fault.ValidationError, "%q is not a token name", name).
			Suggest("Use 1 to 64 letters, digits, dots, dashes and underscores, e.g. `dbridge token new my-agent`.")
	}
	if role == "" {
		role = RoleAgent
	}
	if !slices.Contains([]string{RoleAgent, RoleApp, RoleAny}, role) {
		return "", Token{}, fault.New(fault.ValidationError, "%q is not a role", role).Suggest("Use --role agent, app or any.")
	}
	if level == "" {
		level = string(protocol.Control)
	}
	if protocol.Level(level).Rank() == 0 {
		return "", Token{}, fault.New(fault.ValidationError, "%q is not a level", level).Suggest("Use --level observe, act or control.")
	}
	if origin != "" {
		var err error
		if origin, err = ParseOrigin(origin); err != nil {
			return "", Token{}, err
		}
	}
	secret := make([]byte, tokenBytes)
	rand.Read(secret) // never fails; it ends the process where there is no randomness
	token := TokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
	record := Token{Name: name, Role: role, Level: protocol.Level(level), Origin: origin, CreatedAt: time.Now().UTC().Truncate(time.Second), Hash: hashOf(token), KeyHash: hashOf(PathKey(token))}
	err := t.store.update(ctx, func(all []Token) ([]Token, error) {
		if slices.ContainsFunc(all, func(other Token) bool { return other.Name == name }) {
			return nil, fault.New(fault.ValidationError, "a token named %q exists already", name).
				Suggest("Choose another name, or revoke the old one first: `dbridge token revoke "+name+"`.", "List tokens with `dbridge token list`.")
		}
		if len(all) >= maxTokens {
			return nil, fault.New(fault.ValidationError, "there are %d tokens, the most there may be", maxTokens).
				Suggest("Revoke some that are not used: `dbridge token list`, then `dbridge token revoke NAME`.")
		}
		return append(all, record), nil
	})
	if err != nil {
		return "", Token{}, err
	}
	record.Hash, record.KeyHash = "", ""
	return token, record, nil
}

// List gives the tokens in the order they were made, without their hashes.
func (t *Tokens) List() ([]Token, error) {
	all, err := t.store.load()
	if err != nil {
		return nil, err
	}
	list := make([]Token, len(all))
	for i, token := range all {
		token.Hash, token.KeyHash = "", ""
		list[i] = token
	}
	return list, nil
}

// Revoke removes the token of that name; TOKEN_NOT_FOUND where there is none.
func (t *Tokens) Revoke(ctx context.Context, name string) error {
	return t.store.update(ctx, func(all []Token) ([]Token, error) {
		kept := slices.DeleteFunc(all, func(token Token) bool { return token.Name == name })
		if len(kept) == len(all) {
			return nil, fault.New(fault.TokenNotFound, "there is no token named %q", name)
		}
		return kept, nil
	})
}

// Verify finds the record of a presented token, comparing in constant time. A
// store that cannot be read or trusted knows no token.
func (t *Tokens) Verify(token string) (Token, bool) {
	return t.find(token, func(record *Token) string { return record.Hash })
}

// VerifyKey finds the record of the token that a path's key was made of.
func (t *Tokens) VerifyKey(key string) (Token, bool) {
	return t.find(key, func(record *Token) string { return record.KeyHash })
}

func (t *Tokens) find(secret string, hash func(*Token) string) (Token, bool) {
	all, err := t.store.load()
	if err != nil {
		return Token{}, false
	}
	presented := []byte(hashOf(secret))
	found := -1
	for i := range all {
		if subtle.ConstantTimeCompare([]byte(hash(&all[i])), presented) == 1 {
			found = i
		}
	}
	if found < 0 {
		return Token{}, false
	}
	record := all[found]
	record.Hash, record.KeyHash = "", ""
	return record, true
}

// Watch calls changed within 500 ms of each change of the store, by any process. It blocks until ctx ends.
func (t *Tokens) Watch(ctx context.Context, changed func()) { t.store.watch(ctx, changed) }

// PathKey is what stands for a token in a path, for DevTools clients that cannot set
// headers. It tells nothing of the token, opens DevTools alone, and ends with it.
func PathKey(token string) string {
	sum := sha256.Sum256([]byte("dbridge path key\x00" + token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
