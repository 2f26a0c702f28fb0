package chrome

// Identity names a process beyond its id: ids are used again, a start time with
// the same id is not.
type Identity struct {
	Pid  int    `json:"pid"`
	Born string `json:"born"` // the system's own word for the start; "" when it is not known
}

func identify(pid int) Identity { return Identity{Pid: pid, Born: born(pid)} }

// Running reports whether that very process is still there.
func (i Identity) Running() bool {
	return i.Pid > 0 && i.Born != "" && born(i.Pid) == i.Born
}

// Kill ends the process and its group, if it is still that very process.
func (i Identity) Kill() {
	if i.Running() {
		killOrphan(i.Pid)
	}
}

// IdentityOf names the process that has the number now.
func IdentityOf(pid int) Identity { return identify(pid) }
