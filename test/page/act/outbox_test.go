package act

import (
	"testing"
)

// box makes an outbox of its own in the page; what it sends is in `out`.
const box = `globalThis.out = []; globalThis.box = act.createOutbox({send(first, messages) { out.push({first, types: messages.map(m => m.type), messages: [...messages], at: performance.now()}) }}, t => t);
globalThis.put = (type, extra = {}) => box.push({type, timestamp: 1, ...extra}); 0`

func TestOutboxNumbersAndBatches(t *testing.T) {
	page := open(t, "<p>x</p>")
	page.EvalIn(world, box, nil)
	var got struct {
		First, Wait float64
		Batches     []struct {
			First int
			Types []string
		}
	}
	page.EvalIn(world, `(async () => {
		const start = performance.now();
		put('console');
		await new Promise(r => { const t = setInterval(() => { if (out.length) { clearInterval(t); r() } }, 1) });
		const first = out[0].at - start;
		for (let i = 0; i < 600; i++) put('console');
		box.flush();
		put('error');
		const asked = performance.now();
		await new Promise(r => { const t = setInterval(() => { if (out.at(-1).types.includes('error')) { clearInterval(t); r() } }, 1) });
		return {First: first, Wait: out.at(-1).at - asked, Batches: out.map(o => ({First: o.first, Types: o.types}))};
	})()`, &got)
	if got.First > 10 {
		t.Errorf("the first message of a quiet time waited %.1f ms", got.First)
	}
	if got.Wait < 20 {
		t.Errorf("the next one was not held back for its batch: %.1f ms", got.Wait)
	}
	next := 1
	for _, batch := range got.Batches {
		if batch.First != next || len(batch.Types) > 256 {
			t.Errorf("batch from %d with %d messages, want from %d", batch.First, len(batch.Types), next)
		}
		next += len(batch.Types)
	}
	if next != 603 {
		t.Errorf("%d messages", next-1)
	}
}

func TestOutboxWindowAndResend(t *testing.T) {
	page := open(t, "<p>x</p>")
	page.EvalIn(world, box, nil)
	var got struct {
		Sent, AfterAck, Resent, ResentFirst int
		Same, Wellformed                    bool
	}
	page.EvalIn(world, `(() => {
		const text = 'x'.repeat(100_000);
		for (let i = 0; i < 100; i++) put('console', {args: [text, 'odd \ud800']});
		box.flush();
		const sent = out.reduce((n, o) => n + o.types.length, 0);
		box.acknowledge(5); box.acknowledge(5); box.acknowledge(-1);
		const afterAck = out.reduce((n, o) => n + o.types.length, 0);
		const numbers = new Map(); for (const o of out) o.messages.forEach((m, i) => numbers.set(o.first + i, m));
		out.length = 0;
		box.resend();
		const same = out.every(o => o.messages.every((m, i) => numbers.get(o.first + i) === m));
		return {Sent: sent, AfterAck: afterAck, Resent: out.reduce((n, o) => n + o.types.length, 0), ResentFirst: out[0].first, Same: same, Wellformed: out[0].messages[0].args[1] === 'odd \ufffd'};
	})()`, &got)
	if got.Sent < 15 || got.Sent > 21 {
		t.Errorf("%d messages of 100 kB in flight with a window of 2 MiB", got.Sent)
	}
	if got.AfterAck != got.Sent+5 || got.Resent != got.Sent || got.ResentFirst != 6 || !got.Same || !got.Wellformed {
		t.Errorf("%+v", got)
	}
}

func TestOutboxDropsOldestAndSays(t *testing.T) {
	page := open(t, "<p>x</p>")
	page.EvalIn(world, box, nil)
	var got struct {
		Numbers           []int
		Types             map[string]int
		Dropped           int
		Disorder, DropPos int
		Congested         bool
	}
	page.EvalIn(world, `(() => {
		const big = 'x'.repeat(3_000_000); put('console', {i: -1, args: [big]}); box.flush(); // fills the window
		put('ui_tree', {i: 0});
		for (let i = 1; i <= 30000; i++) put('console', {i});
		put('error', {i: 30001});
		const congested = box.congested();
		out.length = 0;
		for (let n = 1; n < 60000; n += 1000) box.acknowledge(n);
		const all = out.flatMap(o => o.messages.map((m, k) => [o.first + k, m]));
		const types = {}; for (const [, m] of all) types[m.type] = (types[m.type] ?? 0) + 1;
		const lines = all.filter(([, m]) => m.type === 'console').map(([, m]) => m.i);
		return {Numbers: [all[0][0], all.at(-1)[0], all.length], Types: types, Dropped: all.filter(([, m]) => m.type === 'dropped').reduce((n, [, m]) => n + m.counts.console, 0),
			Disorder: lines.filter((n, i) => i && n <= lines[i-1]).length, DropPos: all.findIndex(([, m]) => m.type === 'dropped'), Congested: congested};
	})()`, &got)
	if got.Numbers[0] != 2 || got.Numbers[1]-got.Numbers[0]+1 != got.Numbers[2] {
		t.Errorf("numbers %v have a hole", got.Numbers)
	}
	if got.Types["ui_tree"] != 1 || got.Types["error"] != 1 || got.Types["console"]+got.Dropped != 30000 || got.Dropped == 0 {
		t.Errorf("%+v", got)
	}
	if got.Disorder != 0 || got.DropPos != 0 || !got.Congested {
		t.Errorf("%+v", got)
	}
}
