package install

import "io/fs"

// Variable is an environment variable that holds an absolute path, or the fallback.
func (e Env) Variable(name, fallback string) string { return e.variable(name, fallback) }

// Replace puts a file in the place of another as a whole: it is the old one or the new one, never half.
func Replace(path string, content []byte, perm fs.FileMode) error {
	return applier{}.write(path, content, perm)
}
