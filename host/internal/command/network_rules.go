package command

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
)

// Blocking and mocking: the browser stops at requests that fit one of the patterns
// (Fetch.enable) in every session of the tab; each is failed, answered or let go at once.

// maxMockBody bounds the body of a mock: it travels as base64 in one message.
const maxMockBody = 16 << 20

// onPaused answers a stopped request. It is called from an event, so it only begins to.
func (r *record) onPaused(session string, params jsontext.Value) {
	var event struct {
		RequestID string `json:"requestId"`
		Request   struct {
			URL    string `json:"url"`
			Method string `json:"method"`
		} `json:"request"`
	}
	if decodeEvent(params, &event) != nil {
		return
	}
	rule := r.rules.Match(event.Request.Method, event.Request.URL)
	if rule == nil && r.tab.Claimed(session, "Fetch") {
		return // a DevTools client stopped it, and answers
	}
	id, method := event.RequestID, event.Request.Method
	r.owner.work.Go(func() {
		if rule != nil && rule.Delay > 0 {
			timer := time.NewTimer(rule.Delay)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-r.ctx.Done():
				return
			}
		}
		ctx, cancel := context.WithTimeout(r.ctx, laterTime)
		defer cancel()
		s := r.tab.Session(session)
		var err error
		switch {
		case rule == nil:
			err = s.Call(ctx, "Fetch.continueRequest", map[string]any{"requestId": id}, nil)
		case rule.Block:
			err = s.Call(ctx, "Fetch.failRequest", map[string]any{"requestId": id, "errorReason": "BlockedByClient"}, nil)
		default:
			err = s.Call(ctx, "Fetch.fulfillRequest", fulfil(id, method, rule), nil)
		}
		if err != nil && rule != nil { // a request must not hang; it may have been cancelled meanwhile
			_ = s.Call(ctx, "Fetch.failRequest", map[string]any{"requestId": id, "errorReason": "Failed"}, nil)
		}
	})
}

func fulfil(id, method string, rule *network.Rule) map[string]any {
	headers := make([]map[string]string, 0, len(rule.Headers))
	for _, h := range rule.Headers {
		headers = append(headers, map[string]string{"name": h.Name, "value": h.Value})
	}
	params := map[string]any{
		"requestId": id, "responseCode": rule.Status, "responsePhrase": firstText(http.StatusText(rule.Status), "Mocked"), "responseHeaders": headers,
	}
	if method != http.MethodHead {
		params["body"] = base64.StdEncoding.EncodeToString(rule.Body)
	}
	return params
}

// intercept tells one session of the tab what to stop at.
func (r *record) intercept(ctx context.Context, session string) error {
	s := r.tab.Session(session)
	patterns := []map[string]string{}
	for _, p := range r.rules.Patterns() {
		patterns = append(patterns, map[string]string{"urlPattern": p})
	}
	if len(patterns) == 0 {
		return s.Call(ctx, "Fetch.disable", nil, nil)
	}
	return s.Call(ctx, "Fetch.enable", map[string]any{"patterns": patterns}, nil)
}

// apply tells all sessions of the tab, after the rules changed.
func (r *record) apply(ctx context.Context, env *Env) error {
	r.switching.Lock()
	defer r.switching.Unlock()
	some := len(r.rules.Patterns()) > 0
	r.mu.Lock()
	was, listens := r.fetching, r.listens
	r.fetching = some
	r.mu.Unlock()
	if !some && !was {
		return nil
	}
	if !some && !listens {
		defer func() { _ = r.hold(ctx, env, false) }() // a debugger that stays costs a bar, nothing else
	}
	if some && !was {
		if err := r.hold(ctx, env, true); err != nil {
			return err
		}
	}
	for _, id := range r.sessions() {
		if err := r.intercept(ctx, id); err != nil && id == "" {
			return err // those below may have gone, or not know it: a worker's requests go through its page
		}
	}
	return nil
}

// use puts rules in, to be taken back at the end of the lease.
func (r *record) use(ctx context.Context, env *Env, rules []*network.Rule) error {
	for _, rule := range rules {
		if replaced := r.rules.Add(rule); replaced != nil {
			env.Context.Undo(undoKey(env, replaced.String()), nil)
		}
		env.Context.Undo(undoKey(env, rule.String()), func(ctx context.Context) error {
			r.rules.Remove(rule.Key(), rule.Block)
			return r.apply(ctx, env)
		})
	}
	return r.apply(ctx, env)
}

type networkBlockParams struct {
	Patterns []string `json:"patterns" doc:"Text in the address, glob (*.png) or /regex/."`
	Method   string   `json:"method,omitempty" doc:"Only requests of this method."`
}

type networkRulesResult struct {
	Rules []ruleRow `json:"rules" doc:"All that are set now."`
}

type ruleRow struct {
	Rule string `json:"rule"`
	Hits int    `json:"hits" doc:"Requests that it was used for."`
}

func (r networkRulesResult) Text() string {
	if len(r.Rules) == 0 {
		return "nothing is blocked or mocked"
	}
	var lines []string
	for _, rule := range r.Rules {
		line := rule.Rule
		if rule.Hits > 0 {
			line += fmt.Sprintf(" (used %d×)", rule.Hits)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func (r *record) ruleRows() networkRulesResult {
	out := networkRulesResult{Rules: []ruleRow{}}
	for _, set := range r.rules.List() {
		out.Rules = append(out.Rules, ruleRow{set.Rule.String(), set.Hits})
	}
	return out
}

func rulePattern(text string) (*network.Pattern, error) {
	pattern, err := network.ParsePattern(text)
	if err != nil {
		return nil, problem("%v", err).Suggest("Use text, a glob such as *.png, or /regex/.")
	}
	return pattern, nil
}

func networkBlock(ctx context.Context, env *Env, p *networkBlockParams) (networkRulesResult, error) {
	r, err := env.records()
	if err != nil {
		return networkRulesResult{}, err
	}
	var rules []*network.Rule
	for _, text := range p.Patterns {
		pattern, err := rulePattern(text)
		if err != nil {
			return networkRulesResult{}, err
		}
		rules = append(rules, &network.Rule{Pattern: pattern, Method: strings.ToUpper(p.Method), Block: true})
	}
	if err := r.use(ctx, env, rules); err != nil {
		return networkRulesResult{}, err
	}
	return r.ruleRows(), nil
}

type networkMockParams struct {
	Pattern     string   `json:"pattern" doc:"Text in the address, glob (/api/*) or /regex/."`
	Status      int      `json:"status,omitempty" default:"200" min:"100" max:"599" doc:"Status of the answer."`
	Header      []string `json:"header,omitempty" doc:"A header, as Name: value."`
	Body        string   `json:"body,omitempty" doc:"The body as text."`
	BodyFile    string   `json:"bodyFile,omitempty" local:"true" doc:"The body from a file."`
	ContentType string   `json:"contentType,omitempty" doc:"application/json for a body that is JSON, else text/plain."`
	Delay       int      `json:"delay,omitempty" min:"0" max:"600000" doc:"Wait so many ms before the answer."`
	Method      string   `json:"method,omitempty" doc:"Only requests of this method."`
}

func networkMock(ctx context.Context, env *Env, p *networkMockParams) (networkRulesResult, error) {
	r, err := env.records()
	if err != nil {
		return networkRulesResult{}, err
	}
	pattern, err := rulePattern(p.Pattern)
	if err != nil {
		return networkRulesResult{}, err
	}
	rule := &network.Rule{
		Pattern: pattern, Method: strings.ToUpper(p.Method), Status: p.Status, Body: []byte(p.Body), Delay: time.Duration(p.Delay) * time.Millisecond,
	}
	if p.BodyFile != "" {
		if p.Body != "" {
			return networkRulesResult{}, problem("give --body or --body-file, not both").Suggest("dbridge network mock --help")
		}
		if rule.Body, err = mockFile(env.Caller.Cwd, p.BodyFile); err != nil {
			return networkRulesResult{}, err
		}
	}
	named := map[string]bool{}
	for _, line := range p.Header {
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(name, " \t\r\n") || strings.ContainsAny(value, "\r\n\x00") {
			return networkRulesResult{}, problem("%q is no header", line).Suggest("Write it as --header 'Name: value'.")
		}
		named[strings.ToLower(name)] = true
		rule.Headers = append(rule.Headers, network.Header{Name: name, Value: value})
	}
	if !named["content-type"] {
		kind := p.ContentType
		if kind == "" {
			kind = "text/plain; charset=utf-8"
			if jsontext.Value(rule.Body).IsValid() {
				kind = "application/json"
			}
		}
		rule.Headers = append(rule.Headers, network.Header{Name: "Content-Type", Value: kind})
	}
	if !named["access-control-allow-origin"] { // a mock for another origin is meant to be read
		rule.Headers = append(rule.Headers, network.Header{Name: "Access-Control-Allow-Origin", Value: "*"})
	}
	if err := r.use(ctx, env, []*network.Rule{rule}); err != nil {
		return networkRulesResult{}, err
	}
	return r.ruleRows(), nil
}

func mockFile(cwd, name string) ([]byte, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(cwd, path)
	}
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxMockBody) {
		return nil, fault.New(fault.FileAccessFailed, "%s is no regular file of at most %d MiB", path, maxMockBody>>20).With("path", path)
	}
	if err == nil {
		var data []byte
		if data, err = os.ReadFile(path); err == nil {
			return data, nil
		}
	}
	return nil, fault.New(fault.FileAccessFailed, "%s cannot be read", path).With("path", path).Because(err)
}

type networkUnruleParams struct {
	Pattern string `json:"pattern,omitempty" doc:"As it was given."`
	All     bool   `json:"all,omitempty" doc:"All of them."`
	IfAny   bool   `json:"ifAny,omitempty" doc:"No error where there is none."`
}

func networkUnblock(ctx context.Context, env *Env, p *networkUnruleParams) (networkRulesResult, error) {
	return unrule(ctx, env, p, true)
}

func networkUnmock(ctx context.Context, env *Env, p *networkUnruleParams) (networkRulesResult, error) {
	return unrule(ctx, env, p, false)
}

func unrule(ctx context.Context, env *Env, p *networkUnruleParams, block bool) (networkRulesResult, error) {
	if p.All == (p.Pattern != "") {
		return networkRulesResult{}, problem("give one pattern, or --all").Suggest("dbridge network mocks")
	}
	r, err := env.records()
	if err != nil {
		return networkRulesResult{}, err
	}
	removed := r.rules.Remove(p.Pattern, block)
	if len(removed) == 0 && !p.All && !p.IfAny {
		return networkRulesResult{}, problem("there is no such pattern: %q", p.Pattern).With("rules", r.ruleRows().Rules).Suggest("dbridge network mocks")
	}
	for _, rule := range removed {
		env.Context.Undo(undoKey(env, rule.String()), nil)
	}
	if err := r.apply(ctx, env); err != nil {
		return networkRulesResult{}, err
	}
	return r.ruleRows(), nil
}

type networkMocksParams struct{}

func networkMocks(_ context.Context, env *Env, _ *networkMocksParams) (networkRulesResult, error) {
	r, err := env.records()
	if err != nil {
		return networkRulesResult{}, err
	}
	return r.ruleRows(), nil
}
