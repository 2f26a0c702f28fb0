//go:build !linux

package install

func swap(fresh, target string) error { return swapByRename(fresh, target) }
