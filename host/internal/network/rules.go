package network

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Rule blocks or answers requests.
type Rule struct {
	Pattern *Pattern
	Method  string // any when empty
	Block   bool
	// Of a mock:
	Status  int
	Headers []Header
	Body    []byte
	Delay   time.Duration

	hits int
}

// String names the rule in one line.
func (r *Rule) String() string {
	if r.Block {
		return "block " + r.words()
	}
	text := fmt.Sprintf("mock %s → %d", r.words(), r.Status)
	if r.Delay > 0 {
		text += " after " + r.Delay.String()
	}
	return text
}

func (r *Rule) words() string { return strings.TrimSpace(r.Method + " " + r.Pattern.String()) }

// Key tells rules apart: a rule replaces one of the same key.
func (r *Rule) Key() string { return r.words() }

// Rules are those of one page. The newest that fits wins. Its methods may be used by many goroutines.
type Rules struct {
	mu   sync.Mutex
	list []*Rule
}

// Add puts a rule in, in place of one of the same key, which it gives.
func (r *Rules) Add(rule *Rule) (replaced *Rule) {
	r.mu.Lock()
	defer r.mu.Unlock()
	replaced = r.remove(rule.Key())
	r.list = append(r.list, rule)
	return replaced
}

// Remove takes the rules out that the text names: their pattern as it was given, or
// their whole key; of blocking rules or of mocks alone. Empty text is all.
func (r *Rules) Remove(text string, block bool) (removed []*Rule) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var kept []*Rule
	for _, rule := range r.list {
		if rule.Block == block && (text == "" || rule.Pattern.String() == text || rule.Key() == text) {
			removed = append(removed, rule)
		} else {
			kept = append(kept, rule)
		}
	}
	r.list = kept
	return removed
}

func (r *Rules) remove(key string) (removed *Rule) {
	var kept []*Rule
	for _, rule := range r.list {
		if rule.Key() == key {
			removed = rule
			continue
		}
		kept = append(kept, rule)
	}
	r.list = kept
	return removed
}

// Match gives the rule for a request and counts the hit, or nil.
func (r *Rules) Match(method, url string) *Rule {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.list) - 1; i >= 0; i-- {
		rule := r.list[i]
		if (rule.Method == "" || strings.EqualFold(rule.Method, method)) && rule.Pattern.Match(url) {
			rule.hits++
			return rule
		}
	}
	return nil
}

// Patterns are those that the browser is to stop at.
func (r *Rules) Patterns() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for _, rule := range r.list {
		list = append(list, rule.Pattern.browser)
	}
	return list
}

// Set is a rule with how often it was used.
type Set struct {
	Rule *Rule
	Hits int
}

// List gives the rules, oldest first.
func (r *Rules) List() []Set {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]Set, 0, len(r.list))
	for _, rule := range r.list {
		list = append(list, Set{rule, rule.hits})
	}
	return list
}
