package session

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// snapshotTime is how long a page may take to publish its state after a gap.
const snapshotTime = 5 * time.Second

// Causes of a command's context.
var (
	errDeadline  = errors.New("the command's time is over")
	errCancelled = errors.New("the agent cancelled the command")
)

// job is one accepted command on its way.
type job struct {
	key   commandKey
	cmd   *protocol.Command
	page  *Page
	timer *time.Timer // ends a job that still waits at its deadline
	work  Work        // of Do: runs instead of the page's executor
	reply chan ran    // of Do: gets its one answer

	// Under session.mu:
	claimed    bool // its result is being made; nobody else may make one
	running    bool
	dispatched bool
	cancel     context.CancelCauseFunc // set while it runs
}

// submit accepts a command, or says why not. It never waits.
func (a *Agent) submit(cmd *protocol.Command) {
	s := a.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.failure != nil || s.hub.isClosed() {
		return
	}
	if cmd.RequestID == "" {
		cmd.RequestID = a.giveRequestID()
	}
	key := commandKey{a.name, cmd.RequestID}
	body := sha256.Sum256(cmd.Body)
	if known := s.ledger.find(key, cmd.Received); known != nil {
		switch {
		case known.body != body:
			a.tellLocked(0, hostError(fault.New(fault.RequestIDConflict, "requestId %q was used for another command; this one did not run.", cmd.RequestID), cmd.RequestID))
		case known.job == nil:
			a.push(known.repeated(s, key))
		}
		return
	}
	if s.ledger.full(cmd.Received) {
		s.answer(cmd, Outcome{}, fault.New(fault.Busy, "Too many commands are remembered in this session."), nil)
		return
	}
	if self, ok := cmd.Params.(Self); ok && self.Alone() {
		s.submitAlone(a, cmd, self, &entry{body: body}, key)
		return
	}
	page, refused := s.admit(a, cmd)
	if refused != nil && refused.Code == fault.Busy {
		s.answer(cmd, Outcome{}, refused, nil) // not remembered: the same command may come again
		return
	}
	s.ledger.commands[key] = &entry{body: body}
	if refused != nil {
		s.answer(cmd, Outcome{}, refused, &key)
		return
	}
	j := &job{key: key, cmd: cmd, page: page}
	s.ledger.commands[key].job = j
	j.timer = timer(j, s)
	if ordered(cmd.Spec) {
		page.acts = append(page.acts, j)
	} else {
		page.readQueue = append(page.readQueue, j)
	}
	page.start()
}

func timer(j *job, s *Session) *time.Timer {
	return time.AfterFunc(j.cmd.Timeout(), func() { s.expire(j) })
}

// ordered tells the commands that run one after another. Answering a dialog
// is not among them: the command before it may hang until the dialog is answered.
func ordered(spec *protocol.CommandSpec) bool {
	return spec.Acts && spec.Capability != protocol.CapDialogs
}

// admit finds the page of a command and checks what needs no page. s.mu is held.
func (s *Session) admit(a *Agent, cmd *protocol.Command) (*Page, *fault.Error) {
	if cmd.Epoch != "" && cmd.Epoch != s.hub.config.Epoch {
		return nil, fault.New(fault.Indeterminate, "The command is of another run of the daemon, and its result was lost with it; it was not sent again.").With("epoch", s.hub.config.Epoch)
	}
	page, refused := s.choose(a, cmd.PageID)
	if refused != nil {
		return nil, refused
	}
	cmd.PageID, a.page = page.id, page.id
	s.lastUsed[a.name] = page.id
	if !page.info.Connected && !Revives(cmd.Spec, page.reason) {
		return nil, pageAway{page.reason}.fault()
	}
	if refused := allowed(cmd.Spec, &page.info, a.level); refused != nil {
		if told := s.hub.config.Refused; told != nil {
			told(cmd, &page.info, refused)
		}
		return nil, refused
	}
	if limit := s.hub.config.Limits.PageQueue; page.waiting() >= limit {
		return nil, fault.New(fault.Busy, "%d commands wait for this page already.", limit).With("limit", limit)
	}
	return page, nil
}

// choose finds the page meant: the one named, the one this agent used last, or the only one.
func (s *Session) choose(a *Agent, pageID int) (*Page, *fault.Error) {
	if pageID != 0 {
		if page := s.pages[pageID]; page != nil {
			return page, nil
		}
		reason, ok := s.gone[pageID]
		if !ok {
			reason = "unknown"
		}
		return nil, fault.New(fault.PageNotFound, "Page %d is not in session %q.", pageID, s.id).With("reason", reason).With("pages", s.pageIDs())
	}
	if page := s.pages[a.page]; page != nil {
		return page, nil
	}
	var connected, any *Page
	count := 0
	for _, page := range s.pages {
		any = page
		if page.info.Connected {
			connected = page
			count++
		}
	}
	switch {
	case count == 1:
		return connected, nil
	case count > 1:
		return nil, fault.New(fault.ValidationError, "The session has several pages: say which by pageId.").With("pages", s.pageIDs()).
			Suggest("Give `pageId`, one of " + fmt.Sprint(s.pageIDs()) + "; `welcome` and `hello` say which page is which.")
	case len(s.pages) == 1:
		return any, nil
	}
	return nil, fault.New(fault.NotConnected, "No page is connected in session %q.", s.id).With("reason", "no_page").
		Suggest("Ask the person to open the tab, click the Debug Bridge icon and click Connect (session "+strconv.Quote(s.id)+").", "Run `dbridge doctor` if the popup shows no host.")
}

func (s *Session) pageIDs() []int {
	ids := make([]int, 0, len(s.pages))
	for id, page := range s.pages {
		if page.info.Connected {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// allowed checks levels and capabilities. An SDK page grants what its options
// enable, so there the capability alone decides; the token's level always counts.
func allowed(spec *protocol.CommandSpec, info *protocol.PageInfo, agent protocol.Level) *fault.Error {
	has := slices.Contains(info.Capabilities, spec.Capability)
	missing := func(have protocol.Level, format string, args ...any) *fault.Error {
		return fault.New(fault.CapabilityMissing, format, args...).
			With("level", spec.Level).With("have", have).With("capability", spec.Capability)
	}
	switch {
	case !agent.Allows(spec.Level):
		return missing(agent, "%s needs level %s; the agent's token allows %s.", spec.Type, spec.Level, agent).With("limitedBy", "token").
			Suggest("Ask the person for a token of that level: `dbridge token new NAME --level " + string(spec.Level) + "`.")
	case info.Source == protocol.SourceSDK && !has:
		if spec.Capability == protocol.CapEval {
			return fault.New(fault.EvalDisabled, "The app's own SDK does not enable evaluate.")
		}
		return missing(info.Level, "The app's own SDK does not enable %s.", spec.Capability).
			Suggest("Ask the developer to enable " + spec.Capability + " in createDebugBridge, or to connect the tab with the extension.")
	case info.Source != protocol.SourceSDK && !info.Level.Allows(spec.Level):
		return missing(info.Level, "%s needs level %s; the person granted %s.", spec.Type, spec.Level, info.Level).
			Suggest("Ask the person to choose the level " + string(spec.Level) + " for this tab in the Debug Bridge popup.")
	case !has && spec.Capability == protocol.CapEval:
		return fault.New(fault.EvalDisabled, "Evaluating scripts is switched off for this page.")
	case !has:
		return missing(info.Level, "%s is switched off for this page.", spec.Capability).
			Suggest("Ask the person to switch " + spec.Capability + " on in the Debug Bridge options.")
	}
	return nil
}

// waiting counts the commands of the page that have no result yet.
func (p *Page) waiting() int {
	n := len(p.acts) + len(p.readQueue) + len(p.reads)
	if p.current != nil {
		n++
	}
	return n
}

// start runs what may run now. s.mu is held.
func (p *Page) start() {
	if p.session.hub.isClosed() {
		return
	}
	for p.current == nil && len(p.acts) > 0 {
		j := p.acts[0]
		p.acts[0] = nil
		p.acts = p.acts[1:]
		p.current = j
		p.launch(j)
	}
	for len(p.reads) < p.session.hub.config.Limits.PageReads && len(p.readQueue) > 0 {
		j := p.readQueue[0]
		p.readQueue[0] = nil
		p.readQueue = p.readQueue[1:]
		p.reads[j] = struct{}{}
		p.launch(j)
	}
}

// launch runs a job that has left its queue. s.mu is held.
func (p *Page) launch(j *job) {
	hub := p.session.hub
	ctx, cancel := context.WithCancelCause(hub.ctx)
	left := j.cmd.Timeout() - hub.config.Now().Sub(j.cmd.Received)
	ctx, stop := context.WithTimeoutCause(ctx, left, errDeadline)
	j.running, j.cancel = true, cancel
	j.timer.Stop()
	exec := p.exec
	hub.work.Go(func() {
		defer stop()
		defer cancel(nil)
		p.run(ctx, j, exec)
	})
}

// ran is what an executor gave back.
type ran struct {
	outcome Outcome
	err     error
}

// run executes a job in its page's turn and gives its result.
func (p *Page) run(ctx context.Context, j *job, exec Executor) {
	work := j.work
	if work == nil {
		// A copy: an executor that outlives its time must not touch what is being answered.
		cmd := *j.cmd
		work = func(ctx context.Context, dispatched func()) (Outcome, error) {
			if self, ok := cmd.Params.(Self); ok {
				return self.Run(ctx, exec, &cmd, dispatched)
			}
			return p.session.hub.guarded(ctx, exec, &cmd, func() (Outcome, error) { return exec.Run(ctx, &cmd, dispatched) })
		}
	}
	p.session.execute(ctx, j, work, func() { p.finish(j) })
}

// execute runs a job's work and gives its result. finish is called with s.mu held.
func (s *Session) execute(ctx context.Context, j *job, work Work, finish func()) {
	done := make(chan ran, 1)
	s.hub.work.Go(func() {
		var r ran
		defer func() {
			if problem := recover(); problem != nil {
				s.hub.config.Log.Error().Interface("panic", problem).Bytes("stack", debug.Stack()).Str("type", j.cmd.Type).Msg("executor panicked")
				r = ran{err: fault.New(fault.InternalError, "The command made the daemon fail.")}
			}
			done <- r
		}()
		r.outcome, r.err = work(ctx, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			j.dispatched = true
		})
	})
	var r ran
	returned := true
	select {
	case r = <-done:
	case <-ctx.Done():
		grace := time.NewTimer(s.hub.config.Limits.Grace)
		defer grace.Stop()
		select {
		case r = <-done:
		case <-grace.C:
			// Nobody knows what it still does: that it was never sent cannot be said.
			returned, r.err = false, ctx.Err()
		}
	}
	s.mu.Lock()
	j.claimed = true
	failure := s.verdict(ctx, j, r.err, returned)
	if j.reply != nil {
		s.settle(j, r.outcome, failure)
		finish()
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	made := s.compose(j.cmd, r.outcome, failure) // may be large: not under the lock
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(made, &j.key)
	finish()
}

// finish lets the next command run. s.mu is held.
func (p *Page) finish(j *job) {
	if p.current == j {
		p.current = nil
	}
	delete(p.reads, j)
	p.start()
}

// verdict turns an executor's error into the fault that the agent gets.
func (s *Session) verdict(ctx context.Context, j *job, err error, returned bool) *fault.Error {
	if err == nil {
		return nil
	}
	cause := context.Cause(ctx)
	var own *fault.Error
	if errors.As(err, &own) && (own.Code != fault.Cancelled || cause == nil || errors.Is(cause, errCancelled)) {
		return own
	}
	if ctx.Err() == nil {
		return fault.From(err)
	}
	// From here on, also when the executor says CANCELLED: it was stopped, and only we know why.
	if errors.Is(cause, errCancelled) {
		return fault.New(fault.Cancelled, "The command was cancelled.").With("dispatched", j.dispatched || !returned)
	}
	if errors.Is(cause, errDeadline) && !j.cmd.Spec.Acts { // what only looks has left nothing to wonder about
		return fault.New(fault.Timeout, "The page did not answer within %d ms.", j.cmd.TimeoutMs).With("timeoutMs", j.cmd.TimeoutMs)
	}
	if j.dispatched || !returned {
		why := "its page went away"
		lost := fault.New(fault.Indeterminate, "")
		var away pageAway
		switch {
		case errors.As(cause, &away):
			lost.With("reason", away.reason)
		case errors.Is(cause, errDeadline):
			why = "its time ended"
			lost.With("reason", "deadline")
		default:
			why = "the daemon stopped"
			lost.With("reason", "daemon_stopped")
		}
		lost.Message = "The page got the command, but " + why + " before the result came: nobody knows whether it ran."
		return lost
	}
	var away pageAway
	switch {
	case errors.As(cause, &away):
		return away.fault()
	case errors.Is(cause, errDeadline):
		return timedOut(j)
	}
	return fault.New(fault.DaemonUnavailable, "The daemon stopped before the command was sent.")
}

func timedOut(j *job) *fault.Error {
	return fault.New(fault.Timeout, "The command was not sent to the page within %d ms.", j.cmd.TimeoutMs).With("timeoutMs", j.cmd.TimeoutMs)
}

// expire ends a job that still waits at its deadline. A running one is ended by its context.
func (s *Session) expire(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endWaiting(j, timedOut(j))
}

// endWaiting takes a job out of its queue and answers it; a running one is left
// alone. s.mu is held.
func (s *Session) endWaiting(j *job, failure *fault.Error) bool {
	if j.running || j.claimed {
		return false
	}
	j.claimed = true
	j.timer.Stop()
	isIt := func(other *job) bool { return other == j }
	j.page.acts = slices.DeleteFunc(j.page.acts, isIt)
	j.page.readQueue = slices.DeleteFunc(j.page.readQueue, isIt)
	if j.reply != nil {
		s.settle(j, Outcome{}, failure)
		return true
	}
	s.answer(j.cmd, Outcome{}, failure, &j.key)
	return true
}

// stopAll ends every command of the page: those that wait at once, those that
// run through their context. s.mu is held.
func (p *Page) stopAll(cause error) {
	failure := func() *fault.Error {
		var away pageAway
		if errors.As(cause, &away) {
			return away.fault()
		}
		return fault.New(fault.DaemonUnavailable, "The daemon stops; the command did not run.")
	}
	for _, j := range slices.Concat(p.acts, p.readQueue) {
		p.session.endWaiting(j, failure())
	}
	if p.current != nil {
		p.current.cancel(cause)
	}
	for j := range p.reads {
		j.cancel(cause)
	}
}

// cancel ends one of the agent's own commands, waiting or running.
func (a *Agent) cancel(cmd *protocol.Command) {
	s := a.session
	s.mu.Lock()
	defer s.mu.Unlock()
	key := commandKey{a.name, cmd.RequestID}
	known := s.ledger.find(key, cmd.Received)
	switch {
	case known == nil:
		a.tellLocked(0, hostError(fault.New(fault.ValidationError, "No command with requestId %q is known.", cmd.RequestID).
			Suggest("Nothing is to be cancelled: that command was never accepted, or is long done."), cmd.RequestID))
	case known.job == nil:
		a.push(known.repeated(s, key))
	case !s.endWaiting(known.job, fault.New(fault.Cancelled, "The command was cancelled before it was sent.").With("dispatched", false)):
		if known.job.cancel != nil {
			known.job.cancel(errCancelled)
		}
	}
}

func commandError(f *fault.Error) *protocol.CommandError {
	return &protocol.CommandError{
		Code: string(f.Code), Message: f.Message, Details: f.Details,
		Suggestions: f.Suggestions, Retryable: f.Retryable(),
	}
}

// answer gives a command its one result. s.mu is held.
func (s *Session) answer(cmd *protocol.Command, outcome Outcome, failure *fault.Error, key *commandKey) {
	s.record(s.compose(cmd, outcome, failure), key)
}

// made is a result ready to be logged.
type made struct {
	owner string
	body  []byte
	brief brief
	at    time.Time
}

// compose makes the result of a command.
func (s *Session) compose(cmd *protocol.Command, outcome Outcome, failure *fault.Error) made {
	now := s.hub.config.Now()
	result := &protocol.CommandResult{
		Base: protocol.Base{
			ProtocolVersion: protocol.Version, Type: protocol.TypeCommandResult, SessionID: s.id, Origin: protocol.OriginHost,
			Timestamp: now.UnixMilli(), PageID: cmd.PageID, FrameID: cmd.FrameID, RequestID: cmd.RequestID,
		},
		RequestType: cmd.Spec.Type, Success: failure == nil, Result: outcome.Result, Effect: outcome.Effect, Via: outcome.Via, Warnings: outcome.Warnings,
		DurationMs: max(0, now.Sub(cmd.Received).Milliseconds()), AgentID: cmd.AgentID, AgentName: cmd.AgentName,
	}
	if failure != nil {
		result.Result, result.Error = nil, commandError(failure)
		if result.Effect == "" {
			result.Effect = effectOf(failure)
		}
	} else if result.Effect == "" {
		result.Effect = protocol.EffectUnknown
	}
	m := made{owner: cmd.AgentName, body: s.encodeResult(result), at: now}
	m.brief = brief{requestType: result.RequestType, effect: result.Effect, pageID: cmd.PageID, durationMs: result.DurationMs}
	if result.Error != nil {
		m.brief.code = fault.Code(result.Error.Code)
	}
	return m
}

// record logs a result and remembers it under key, if there is one. s.mu is held.
func (s *Session) record(m made, key *commandKey) {
	logged := s.append(kindOf[protocol.TypeCommandResult], m.owner, m.body)
	if key != nil {
		s.ledger.finish(*key, logged.data, &m.brief, m.at)
	}
}

// effectOf is the effect of a command that failed: certain only where it cannot have run.
func effectOf(failure *fault.Error) string {
	if failure.Details["dispatched"] == true {
		return protocol.EffectUnknown
	}
	switch failure.Code {
	case fault.Busy, fault.NotConnected, fault.ExtensionNotConnected, fault.CDPDisconnected, fault.CapabilityMissing,
		fault.EvalDisabled, fault.PageNotFound, fault.ValidationError, fault.Timeout, fault.ElementNotFound, fault.TargetAmbiguous:
		return protocol.EffectNoop
	}
	return protocol.EffectUnknown
}

// encodeResult gives the bytes of a result. A value that is too large or not
// JSON makes the result an error: it is never left out silently.
func (s *Session) encodeResult(result *protocol.CommandResult) []byte {
	body, err := encodeBody(result)
	limit := s.hub.config.Limits.EventBytes
	var failure *fault.Error
	switch {
	case err != nil:
		failure = fault.New(fault.InternalError, "The result cannot be written as JSON.")
		s.hub.config.Log.Error().Err(err).Str("type", result.RequestType).Msg("result cannot be encoded")
	case len(body)-seqRoom > limit:
		failure = fault.New(fault.ResultTooLarge, "The result has %d bytes; the limit is %d.", len(body)-seqRoom, limit).
			With("bytes", len(body)-seqRoom).With("limit", limit)
	default:
		return body
	}
	result.Success, result.Result, result.Error = false, nil, commandError(failure)
	body, err = encodeBody(result)
	if err != nil {
		panic("session: an error result cannot be encoded: " + err.Error())
	}
	return body
}
