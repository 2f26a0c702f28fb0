package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/auditlog"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// auditLogCommands look at the audit log. They are for this computer's own command line:
// it tells of all agents.
var auditLogCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "audit.show", Tool: "audit_show", Summary: "Who did what to which page: the last entries of the audit log.",
		Long: "Commands of all agents, refusals, what people granted and took back, tokens. Typed text is there as its length only. " +
			"--follow writes what comes, one JSON object a line, until the time limit.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Local: true, Streams: true,
		Faults: []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{
			{Line: "audit show --output text"},
			{Line: "audit show --since 1h --refused", Note: "what was not permitted in the last hour"},
			{Line: "audit show --agent my-agent --site shop.example --limit 200"},
			{Line: "audit show --follow --limit 1 --timeout 300", Note: "wait for the next one"},
		},
	}, auditShow),
	define(catalog.Spec{
		Name: "audit.verify", Tool: "audit_verify", Summary: "Check that no line of the audit log was changed, taken out or put in.",
		Long: "Walks the chain of hashes over all files. It ends with FILE_ACCESS_FAILED at the first line that does not fit. " +
			"Lines taken off the end cannot be seen by the chain alone: keep the head of one verify elsewhere and give it to the next as --head.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Local: true, Timeout: 2 * time.Minute,
		Faults:   []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "audit verify"}, {Line: "audit verify --output text"}},
	}, auditVerify),
}

type auditShowParams struct {
	Since   string `json:"since,omitempty" doc:"Not older: a time as 1h, 30m or 7d ago, or 2026-05-01T12:00:00Z."`
	Agent   string `json:"agent,omitempty" doc:"Only of this token, context or program."`
	Site    string `json:"site,omitempty" doc:"Only about this host or what is below it."`
	Refused bool   `json:"refused,omitzero" doc:"Only what was not permitted."`
	Follow  bool   `json:"follow,omitzero" doc:"Write what comes from now on until the time limit."`
	Limit   int    `json:"limit,omitempty" doc:"Most entries told, the last ones; 50 by default, of --follow none." min:"1" max:"5000"`
}

type auditShowResult struct {
	Entries []auditlog.Entry `json:"entries"`
	Damaged int              `json:"damaged,omitzero" doc:"Lines that cannot be read; audit verify says where."`
}

func (r auditShowResult) Text() string {
	lines := make([]string, 0, len(r.Entries)+1)
	for i := range r.Entries {
		lines = append(lines, r.Entries[i].String())
	}
	if len(lines) == 0 {
		lines = append(lines, "no such entries")
	}
	if r.Damaged > 0 {
		lines = append(lines, counted(r.Damaged, "line")+" cannot be read: dbridge audit verify")
	}
	return strings.Join(lines, "\n")
}

const defaultEntries = 50

func auditShow(ctx context.Context, env *Env, p *auditShowParams) (auditShowResult, error) {
	filter := auditlog.Filter{Agent: p.Agent, Site: strings.ToLower(p.Site), Refused: p.Refused}
	var err error
	if filter.Since, err = sinceOf(p.Since, time.Now()); err != nil {
		return auditShowResult{}, err
	}
	if env.audit == nil {
		return auditShowResult{}, noAudit()
	}
	if p.Follow {
		return auditShowResult{Entries: []auditlog.Entry{}}, followAudit(ctx, env, filter, p.Limit)
	}
	if err := env.audit.Flush(ctx); err != nil {
		return auditShowResult{}, err
	}
	limit := p.Limit
	if limit == 0 {
		limit = defaultEntries
	}
	out := auditShowResult{Entries: []auditlog.Entry{}}
	entries, damaged, err := auditlog.Show(env.audit.Dir(), filter, limit)
	out.Entries, out.Damaged = append(out.Entries, entries...), damaged
	return out, err
}

func noAudit() error { return fault.New(fault.InternalError, "this program keeps no audit log") }

// followAudit emits entries until the time is over; that is its end, not a failure.
func followAudit(ctx context.Context, env *Env, filter auditlog.Filter, limit int) error {
	ctx, cancel := early(ctx)
	defer cancel()
	entries, stop := env.audit.Follow()
	defer stop()
	for told := 0; limit == 0 || told < limit; {
		select {
		case e := <-entries:
			if !filter.Wants(&e) {
				continue
			}
			if env.Emit(e) != nil {
				return nil // nobody reads any more
			}
			told++
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

// sinceOf reads a time, or how long ago it was.
func sinceOf(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	ago := text
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int
		if _, err := fmt.Sscanf(days+"\n", "%d\n", &n); err == nil && n >= 0 && n < 10_000 {
			ago = fmt.Sprintf("%dh", 24*n)
		}
	}
	d, err := time.ParseDuration(ago)
	if err != nil || d < 0 {
		return time.Time{}, problem("%q is no time", text).Suggest("Give how long ago: --since 1h, 30m, 7d; or a time: --since 2026-05-01T12:00:00Z")
	}
	return now.Add(-d), nil
}

type auditVerifyParams struct {
	Head string `json:"head,omitempty" doc:"Head that an earlier verify gave: the log must still hold that line."`
}

type auditVerifyResult struct{ auditlog.Report }

func (r auditVerifyResult) Text() string {
	if r.Lines == 0 {
		return "OK, the log is empty"
	}
	text := fmt.Sprintf("OK, %s in %s, %d to %d\nhead %s", counted(int(r.Lines), "line"), counted(r.Files, "file"), r.First, r.Last, r.Head)
	if r.Lost > 0 {
		text += fmt.Sprintf("\nentries that could not be written when they came: %d", r.Lost)
	}
	if r.Held != nil {
		text += "\nthe line of --head is there"
	}
	return text
}

func auditVerify(ctx context.Context, env *Env, p *auditVerifyParams) (auditVerifyResult, error) {
	if env.audit == nil {
		return auditVerifyResult{}, noAudit()
	}
	if err := env.audit.Flush(ctx); err != nil {
		return auditVerifyResult{}, err
	}
	report, err := auditlog.Verify(env.audit.Dir(), strings.ToLower(strings.TrimSpace(p.Head)))
	out := auditVerifyResult{report}
	switch {
	case err != nil:
		return out, err
	case report.Broken != nil:
		b := report.Broken
		return out, fault.New(fault.FileAccessFailed, "the audit log is not as it was written: %s, line %d: %s", b.File, b.Line, b.Why).
			With("path", b.File).With("line", b.Line).With("seq", b.Seq).With("reason", "broken_chain").With("good", report.Lines).
			Suggest("Keep a copy of the folder "+env.audit.Dir()+"; then ask the person who could have changed it.", "dbridge audit show --output text")
	case !report.OK:
		return out, fault.New(fault.FileAccessFailed, "the audit log does not hold the line of --head: lines were taken off its end, or it is another log").
			With("path", env.audit.Dir()).With("reason", "head_missing").With("head", report.Head).
			Suggest("Keep a copy of the folder "+env.audit.Dir()+"; then ask the person who could have changed it.", "dbridge audit verify")
	}
	return out, nil
}
