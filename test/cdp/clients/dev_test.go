package clients

import "testing"

func TestDev(t *testing.T) {
	_, endpoint := extension(t)
	lines, err, said := run(t, "dev.mjs", endpoint)
	t.Log(lines, err, said)
}
