//go:build !windows

package install

const onWindows = false

// systemRegistry: there is none.
func systemRegistry() Registry { return nil }
