// The tests act in hand.html, where nothing ends by itself; this makes the extension show up as a target.
self.ready = true;
