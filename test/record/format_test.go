package record

import "time"

// The format as its readers know it; test/record holds the writer to it from outside.

type manifest struct {
	Format   string
	Version  int
	URL      string
	Title    string
	Note     string
	Viewport struct{ Width, Height int }
	Started  time.Time
	Ended    time.Time
	Counts   map[string]int
	Parts    map[string]int64
	LeftOut  map[string]int
	Redacted int
	FromRing bool

	Navigated int
}

type entry struct {
	At           int64
	Kind         string
	ID           string
	Command      string
	Params       map[string]any
	By           string
	Effect       string
	Code         string
	Level        string
	Text         string
	Source       string
	Method       string
	URL          string
	Status       int
	Type         string
	RequestBody  string
	ResponseBody string
	Picture      string
}
