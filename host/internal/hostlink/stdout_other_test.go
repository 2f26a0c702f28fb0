//go:build !unix

package hostlink

func helperProcess() bool { return false }
