package record

func (r *reading) replay() {}
func (r *reading) inert()  {}
