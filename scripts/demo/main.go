// Command demo shows the main job from end to end: a headless Chromium with the
// built extension and the installed native host in a throw-away profile, the real
// popup clicked with real input, an agent on a WebSocket that looks, signs in,
// loses its connection and comes back without missing an event, and a browser
// that dies and returns under it. HEADED=1 shows it in a window. Screenshots are
// left in demo-out/.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	if !run() {
		os.Exit(1)
	}
}

// run plays the demo and reports whether all of it worked.
func run() (worked bool) {
	began := time.Now()
	s := &stage{}
	defer func() {
		if gave := recover(); gave != nil {
			if _, ours := gave.(failure); !ours {
				panic(gave)
			}
		}
		s.cleanup()
		worked = !s.Failed()
		s.summary(time.Since(began))
	}()
	play(s)
	return true
}

// say writes one line of the demo.
func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }
