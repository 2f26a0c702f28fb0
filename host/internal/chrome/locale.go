package chrome

import (
	"runtime"
	"strings"
)

// readable adds a UTF-8 locale to an environment that has none: on Linux Chrome turns
// the names of files into those of the locale, and what that cannot write (uploads,
// downloads) is lost. The first of LC_ALL, LC_CTYPE and LANG that is set counts
// (POSIX.1-2017, section 8.2).
func readable(environment []string) []string {
	if runtime.GOOS != "linux" {
		return environment
	}
	set := map[string]string{}
	for _, entry := range environment {
		if name, value, ok := strings.Cut(entry, "="); ok {
			set[name] = value
		}
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		value := set[name]
		if value == "" {
			continue
		}
		if folded := strings.ToLower(strings.ReplaceAll(value, "-", "")); strings.HasSuffix(folded, "utf8") {
			return environment
		}
		if name == "LC_ALL" {
			return append(environment, "LC_ALL=C.UTF-8")
		}
		break
	}
	return append(environment, "LC_CTYPE=C.UTF-8")
}
