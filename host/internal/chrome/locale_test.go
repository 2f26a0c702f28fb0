package chrome

import (
	"runtime"
	"slices"
	"testing"
)

func TestReadable(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("Chrome asks the locale on Linux only")
	}
	for _, c := range []struct{ have, added []string }{
		{nil, []string{"LC_CTYPE=C.UTF-8"}},
		{[]string{"LANG=C"}, []string{"LC_CTYPE=C.UTF-8"}},
		{[]string{"LANG=de_DE.UTF-8"}, nil},
		{[]string{"LANG=de_DE.utf8", "LC_ALL="}, nil},
		{[]string{"LANG=de_DE.UTF-8", "LC_ALL=C"}, []string{"LC_ALL=C.UTF-8"}},
		{[]string{"LANG=de_DE.UTF-8", "LC_CTYPE=POSIX"}, []string{"LC_CTYPE=C.UTF-8"}},
	} {
		if got := readable(slices.Clone(c.have)); !slices.Equal(got, append(slices.Clone(c.have), c.added...)) {
			t.Errorf("%v became %v", c.have, got)
		}
	}
}
