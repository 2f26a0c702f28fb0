package session

// Dropped is how many events left the session's log.
func (s *Session) Dropped() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.dropped.n
}

// Last is the number of the log's last event.
func (s *Session) Last() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.last
}
