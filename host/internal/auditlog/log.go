package auditlog

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	// maxFile is the size at which the next file begins.
	maxFile = 16 << 20
	// keepFiles is how many files stay, the one that is written included.
	keepFiles = 8
	// maxQueue bounds the entries that wait to be written.
	maxQueue = 4096
	// maxBatch is how many lines one write takes at most.
	maxBatch = 256
	// syncEvery is how long a line may be in the file without being synced.
	syncEvery = time.Second
	// sameWithin is how long what reads is counted instead of noted again.
	sameWithin = 10 * time.Second
	// maxSame bounds what is counted at the same time.
	maxSame = 256
)

// Options of a log. The zero value is what the daemon uses.
type Options struct {
	Now     func() time.Time // time.Now when nil
	MaxFile int64            // bytes; 16 MiB when 0
	Keep    int              // files; 8 when 0
	Same    time.Duration    // 10 s when 0, never when negative
	Log     zerolog.Logger   // where the log of the log's own trouble goes

	write func(*os.File, []byte) (int, error) // of tests: a disk that fails
}

// Stats is how the log does.
type Stats struct {
	File    string `json:"file"`             // that is written now
	Lines   uint64 `json:"lines"`            // number of the last one
	Head    string `json:"head"`             // its hash
	Lost    uint64 `json:"lost,omitzero"`    // entries that could not be written, since the daemon started
	Failing string `json:"failing,omitzero"` // why nothing can be written now
}

// Writer is an open log. Its methods may be called from anywhere.
type Writer struct {
	dir     string
	options Options
	queue   chan item
	quit    chan struct{}
	ended   chan struct{}
	closing sync.Once

	mu        sync.Mutex
	stats     Stats
	missed    uint64 // entries that the queue did not take, not told yet
	followers map[chan Entry]struct{}

	// Of the goroutine that writes:
	file    *os.File
	size    int64
	seq     uint64
	head    string
	lost    uint64 // not told yet
	unsaved bool
	same    map[sameKey]*counted
}

// item is an entry, or who waits until all before it is written.
type item struct {
	entry *Entry
	done  chan struct{}
}

// Open opens the log in dir, or begins one. A last line that a crash left unfinished is
// put aside, and that is noted. Only one process may have it open. The error is
// FILE_ACCESS_FAILED.
func Open(dir string, options Options) (*Writer, error) {
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.MaxFile == 0 {
		options.MaxFile = maxFile
	}
	if options.Keep == 0 {
		options.Keep = keepFiles
	}
	if options.Same == 0 {
		options.Same = sameWithin
	}
	if options.write == nil {
		options.write = (*os.File).Write
	}
	w := &Writer{
		dir: dir, options: options, queue: make(chan item, maxQueue), quit: make(chan struct{}), ended: make(chan struct{}),
		followers: make(map[chan Entry]struct{}), same: make(map[sameKey]*counted),
	}
	mended, err := w.resume()
	if err != nil {
		return nil, err
	}
	go w.run()
	for _, note := range mended {
		w.Note(Entry{Kind: Log, Command: "mended", Notes: []string{note}})
	}
	return w, nil
}

// resume finds the end of the chain and opens its file. It says what it had to mend.
func (w *Writer) resume() (mended []string, err error) {
	names, err := list(w.dir)
	if err != nil {
		return nil, err
	}
	w.seq, w.head = 0, Genesis
	for i, name := range slices.Backward(names) {
		path := filepath.Join(w.dir, name)
		end, err := tailOf(path)
		if err != nil {
			return nil, err
		}
		if len(end.torn) > 0 {
			if err := aside(w.dir, name, end.torn); err != nil {
				return nil, err
			}
			if err := os.Truncate(path, end.size); err != nil {
				return nil, unreadable(path, err)
			}
			mended = append(mended, "an unfinished line of "+strconv.Itoa(len(end.torn))+" bytes was put aside")
		}
		first, _ := firstOf(name)
		switch {
		case end.bad != nil:
			// Verify tells of it; what comes now goes into a file of its own. Its number
			// cannot be known, so it is one that was never given.
			mended = append(mended, "the last line before is damaged: "+end.bad.Error())
			w.seq = first + uint64(end.size)
			return mended, w.begin()
		case end.last == nil && i > 0:
			// A file without lines: its first is still to come.
			if err := os.Remove(path); err != nil {
				return nil, unreadable(path, err)
			}
			continue
		case end.last != nil:
			w.seq, w.head = end.last.Seq, end.last.Hash
		}
		w.file, err = state.OpenAppend(path)
		w.size = end.size
		w.told(nil)
		return mended, err
	}
	return mended, w.begin()
}

// begin opens the file of the next line.
func (w *Writer) begin() error {
	file, err := state.OpenAppend(filepath.Join(w.dir, nameOf(w.seq+1)))
	if err != nil {
		return err
	}
	state.SyncDir(w.dir)
	if w.file != nil {
		err := errors.Join(w.file.Sync(), w.file.Close())
		if err != nil {
			w.options.Log.Warn().Err(err).Msg("a full file of the audit log was not synced")
		}
	}
	w.file, w.size, w.unsaved = file, 0, false
	w.told(nil)
	return nil
}

// told keeps what Stats says.
func (w *Writer) told(failure error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stats.File, w.stats.Lines, w.stats.Head = w.file.Name(), w.seq, w.head
	w.stats.Failing = ""
	if failure != nil {
		w.stats.Failing = failure.Error()
	}
}

// Note writes an entry soon. It never waits: where the queue is full the entry is counted
// as lost. A zero At is now. The entry's slices must not be changed any more.
func (w *Writer) Note(e Entry) {
	if e.At.IsZero() {
		e.At = w.options.Now()
	}
	select {
	case <-w.quit:
		w.miss()
		return
	default:
	}
	select {
	case w.queue <- item{entry: &e}:
	default:
		w.miss()
	}
}

func (w *Writer) miss() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.missed++
	w.stats.Lost++
}

// Flush returns when all that was noted before is in the file, or ctx ends.
func (w *Writer) Flush(ctx context.Context) error {
	done := make(chan struct{})
	select {
	case w.queue <- item{done: done}:
	case <-w.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-done:
		return nil
	case <-w.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close writes what was noted, syncs and closes the file. Entries after it are lost.
func (w *Writer) Close() {
	w.closing.Do(func() { close(w.quit) })
	<-w.ended
}

// Stats is how the log does now.
func (w *Writer) Stats() Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stats
}

// Dir is the folder of the log.
func (w *Writer) Dir() string { return w.dir }

// followQueue is how many lines a follower may be behind; it misses others.
const followQueue = 1024

// Follow gives each line as it is written from now on, until stop.
func (w *Writer) Follow() (entries <-chan Entry, stop func()) {
	ch := make(chan Entry, followQueue)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.followers[ch] = struct{}{}
	return ch, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.followers, ch)
	}
}

// run writes until Close.
func (w *Writer) run() {
	defer close(w.ended)
	tick := time.NewTicker(syncEvery)
	defer tick.Stop()
	for {
		select {
		case first := <-w.queue:
			w.take(first)
		case <-tick.C:
			w.write(w.due(false))
			w.save()
		case <-w.quit:
			for len(w.queue) > 0 {
				w.take(<-w.queue)
			}
			w.write(w.due(true))
			w.save()
			if err := w.file.Close(); err != nil {
				w.options.Log.Warn().Err(err).Msg("the audit log was not closed well")
			}
			return
		}
	}
}

// take writes an entry and what else waits, in one piece.
func (w *Writer) take(first item) {
	var batch []*Entry
	var waiting []chan struct{}
	for next := first; ; next = <-w.queue {
		if next.done != nil {
			waiting = append(waiting, next.done)
		} else if w.count(next.entry) {
			next.entry.tidy()
			batch = append(batch, next.entry)
		}
		if len(w.queue) == 0 || len(batch) == maxBatch {
			break
		}
	}
	w.write(batch)
	for _, done := range waiting {
		close(done)
	}
}

// write adds lines to the chain. What cannot be written leaves neither a gap in the
// numbers nor half a line: it is counted, and the next line that can be says so.
func (w *Writer) write(batch []*Entry) {
	if len(batch) == 0 {
		return
	}
	w.mu.Lock()
	w.lost += w.missed
	w.missed = 0
	w.mu.Unlock()
	failure := w.append(batch)
	if failure != nil {
		w.lost += uint64(len(batch))
		w.mu.Lock()
		w.stats.Lost += uint64(len(batch))
		first := w.stats.Failing == ""
		w.mu.Unlock()
		if first {
			w.options.Log.Error().Err(failure).Msg("the audit log cannot be written; what is not in it is counted")
		}
	}
	w.told(failure)
	if failure == nil {
		w.tell(batch)
	}
}

func (w *Writer) append(batch []*Entry) error {
	if w.size >= w.options.MaxFile {
		if err := w.begin(); err != nil {
			return err
		}
		w.removeOld()
	}
	var buf bytes.Buffer
	seq, head := w.seq, w.head
	for i, e := range batch {
		e.Seq, e.Prev, e.Lost = seq+1, head, 0
		e.At = e.At.UTC().Truncate(time.Millisecond)
		if i == 0 {
			e.Lost = w.lost
		}
		hash, err := seal(&buf, e)
		if err != nil {
			return fault.New(fault.InternalError, "an entry cannot be written as JSON").Because(err)
		}
		seq, head = e.Seq, hash
	}
	n, err := w.options.write(w.file, buf.Bytes())
	if err != nil {
		if n > 0 {
			if cut := w.file.Truncate(w.size); cut != nil {
				return errors.Join(err, cut, w.begin()) // the end of that file cannot be mended now
			}
		}
		return err
	}
	w.size += int64(n)
	w.seq, w.head, w.lost, w.unsaved = seq, head, 0, true
	return nil
}

// removeOld removes files beyond those that are kept.
func (w *Writer) removeOld() {
	names, err := list(w.dir)
	for ; err == nil && len(names) > w.options.Keep; names = names[1:] {
		err = os.Remove(filepath.Join(w.dir, names[0]))
	}
	if err != nil {
		w.options.Log.Warn().Err(err).Msg("an old file of the audit log was not removed")
	}
}

// save syncs what was written.
func (w *Writer) save() {
	if !w.unsaved {
		return
	}
	w.unsaved = false
	if err := w.file.Sync(); err != nil {
		w.options.Log.Warn().Err(err).Msg("the audit log was not synced")
	}
}

// tell gives lines to those that follow.
func (w *Writer) tell(batch []*Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.followers {
		for _, e := range batch {
			select {
			case ch <- *e:
			default:
			}
		}
	}
}
