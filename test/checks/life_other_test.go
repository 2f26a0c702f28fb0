//go:build unix && !linux

package checks

import "errors"

func mountSmall(string) error { return errors.ErrUnsupported }

func unmount(string) {}

func limitMemory(int, uint64) error { return errors.ErrUnsupported }
