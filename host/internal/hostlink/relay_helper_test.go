package hostlink

func helperProcess() bool { return false }
