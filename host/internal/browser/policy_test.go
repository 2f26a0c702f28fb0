package browser

import (
	"errors"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// An address is judged as the browser will read it, however it is spelled.
func TestPolicySpellings(t *testing.T) {
	t.Parallel()
	p := Policy{Ports: func() []int { return []int{9224} }}
	for _, address := range []string{
		"http://169.254.169.254/", "http://169.254.169.254./", "http://2852039166/", "http://0xa9fea9fe/", "http://0XA9.0xfe.0xa9.0xfe/", "http://169.254.43518/", "http://169.16689662/",
		"http://0251.0376.0251.0376/", "http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]/", "http://[FD00:EC2:0::254]/", "http://１６９.254.169.254/", "http://169。254。169。254/",
		"http://METADATA.google.internal/", "http://meta\u00addata.google.internal/", "https://a:b@169.254.169.254:80/x",
		"http://127.0.0.1:9224/", "http://2130706433:9224/", "http://127.1:9224/", "http://0x7f.1:9224/", "http://017700000001:9224/", "http://0:9224/", "http://0x:9224/", "http://[::1]:9224/",
		"http://[::ffff:127.0.0.1]:9224/", "http://LocalHost.:9224/", "http://a.localhost:9224/", "http://ｌocalhost:9224/",
	} {
		if err := p.Allow(address); !errors.Is(err, fault.New(fault.PolicyDenied, "")) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{
		"http://127.0.0.1:9225/", "http://localhost/", "http://example.com:9224/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://4294967296/", "http://08.1/", "http://169.254.169.253/",
		"http://10.0.0.5/", "http://bücher.example/", "http://1.example/", "about:blank", "data:text/html,x",
	} {
		if err := p.Allow(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
