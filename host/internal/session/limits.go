package session

import "time"

// Limits bound what one session holds. The zero value means the defaults.
type Limits struct {
	LogEvents     int           // events kept for agents that resume
	LogBytes      int           // their size
	QueueEvents   int           // kept beyond that for a connected agent that lags
	QueueBytes    int           // their size
	EventBytes    int           // largest single event
	PageQueue     int           // commands waiting or running on one page
	PageReads     int           // commands that read, running at once on one page
	Remember      time.Duration // how long a finished command is known by its requestId
	RememberBytes int           // results kept whole for repeaters
	LedgerEntries int           // commands known at once
	Grace         time.Duration // an executor's time to say what happened after it was stopped
	Idle          time.Duration // after which a session without pages and agents gives back its memory
}

// The promise of the protocol is 4,096 events and 16 MiB; the defaults hold more.
var defaultLimits = Limits{
	LogEvents:     32768,
	LogBytes:      24 << 20,
	QueueEvents:   2000,
	QueueBytes:    8 << 20,
	EventBytes:    24 << 20,
	PageQueue:     1024,
	PageReads:     8,
	Remember:      10 * time.Minute,
	RememberBytes: 16 << 20,
	LedgerEntries: 1 << 20,
	Grace:         500 * time.Millisecond,
	Idle:          time.Hour,
}

func (l Limits) orDefaults() Limits {
	pick := func(value *int, fallback int) {
		if *value <= 0 {
			*value = fallback
		}
	}
	pickTime := func(value *time.Duration, fallback time.Duration) {
		if *value <= 0 {
			*value = fallback
		}
	}
	pick(&l.LogEvents, defaultLimits.LogEvents)
	pick(&l.LogBytes, defaultLimits.LogBytes)
	pick(&l.QueueEvents, defaultLimits.QueueEvents)
	pick(&l.QueueBytes, defaultLimits.QueueBytes)
	pick(&l.EventBytes, defaultLimits.EventBytes)
	pick(&l.PageQueue, defaultLimits.PageQueue)
	pick(&l.PageReads, defaultLimits.PageReads)
	pick(&l.RememberBytes, defaultLimits.RememberBytes)
	pick(&l.LedgerEntries, defaultLimits.LedgerEntries)
	pickTime(&l.Remember, defaultLimits.Remember)
	pickTime(&l.Grace, defaultLimits.Grace)
	pickTime(&l.Idle, defaultLimits.Idle)
	return l
}
