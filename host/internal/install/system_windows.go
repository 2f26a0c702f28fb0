package install

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/windows/registry"
)

const onWindows = true

func systemRegistry() Registry { return windowsRegistry{} }

type windowsRegistry struct{}

func hive(key string) (registry.Key, string, error) {
	name, path, ok := strings.Cut(key, `\`)
	switch {
	case ok && name == "HKCU":
		return registry.CURRENT_USER, path, nil
	case ok && name == "HKLM":
		return registry.LOCAL_MACHINE, path, nil
	}
	return 0, "", fmt.Errorf("registry key %q begins with neither HKCU nor HKLM", key)
}

func (windowsRegistry) Get(key string) (string, bool, error) {
	root, path, err := hive(key)
	if err != nil {
		return "", false, err
	}
	opened, err := registry.OpenKey(root, path, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	value, _, err := opened.GetStringValue("")
	err = errors.Join(ignoreNoValue(err), opened.Close())
	return value, err == nil, err
}

// ignoreNoValue: a key without a default value is there, with an empty one.
func ignoreNoValue(err error) error {
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	return err
}

func (windowsRegistry) Set(key, value string) error {
	root, path, err := hive(key)
	if err != nil {
		return err
	}
	opened, _, err := registry.CreateKey(root, path, registry.SET_VALUE)
	if err != nil {
		return err
	}
	return errors.Join(opened.SetStringValue("", value), opened.Close())
}

func (windowsRegistry) Delete(key string) error {
	root, path, err := hive(key)
	if err != nil {
		return err
	}
	return ignoreNoValue(registry.DeleteKey(root, path))
}
