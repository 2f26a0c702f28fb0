package browser

// What is needed to let a DevTools client of somebody else onto the connection (package
// devtools): it has a browser session of its own there.

// Allow judges an address before it is loaded.
func (d *Direct) Allow(url string) error { return d.o.Allow(url) }

// Downloads is the folder in which downloads lie under their guids; "" where the browser decides.
func (d *Direct) Downloads() string { return d.o.Downloads }

// EachPage tells of every page that is a tab, in the order in which they came.
func (d *Direct) EachPage(tell func(targetID, title, url string)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id := 1; id <= d.lastTab; id++ {
		if t := d.tabs[id]; t != nil && t.announced {
			tell(t.target.targetID, t.known, t.main().url)
		}
	}
}

// TargetURL is the address that a page or a frame in a process of its own shows now; empty
// for other targets.
func (d *Direct) TargetURL(targetID string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.tabs {
		if f := t.frames[targetID]; f != nil {
			return f.url
		}
	}
	return ""
}
