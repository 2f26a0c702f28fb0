package gate_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/gate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	good   = "good-token-0123456789"
	bound  = "bound-token-0123456789"
	origin = "http://localhost:3000"
)

type server struct {
	port    int
	reached atomic.Int64
	last    atomic.Value
}

func start(t *testing.T) *server {
	t.Helper()
	s := &server{}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.port = inner.Addr().(*net.TCPAddr).Port
	handler := gate.New(gate.Config{
		Port:    func() int { return s.port },
		Origins: func(o string) bool { return o == origin },
		Verify: func(token string) (gate.Identity, bool) {
			switch token {
			case good:
				return gate.Identity{Name: "good", Role: gate.RoleAgent}, true
			case bound:
				return gate.Identity{Name: "bound", Role: gate.RoleApp, Origin: origin}, true
			}
			return gate.Identity{}, false
		},
		Log: zerolog.Nop(),
	}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		identity, ok := gate.From(r.Context())
		if !ok {
			t.Error("a request without identity")
		}
		s.reached.Add(1)
		s.last.Store(identity)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, "hello %d", len(body))
	}))
	web := gate.Server(handler)
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := web.Serve(gate.Listen(inner)); err != http.ErrServerClosed {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		if err := web.Close(); err != nil {
			t.Error(err)
		}
		serving.Wait()
	})
	return s
}

func (s *server) dial(t *testing.T) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(15 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// ask sends raw lines and gives the whole answer; PORT is replaced.
func (s *server) ask(t *testing.T, raw string) (status int, header http.Header, body string) {
	t.Helper()
	conn := s.dial(t)
	raw = strings.ReplaceAll(strings.ReplaceAll(raw, "PORT", fmt.Sprint(s.port)), "\n", "\r\n")
	if _, err := io.WriteString(conn, raw); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(raw, " ")
	answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("no answer to %.80q: %v", raw, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(text)
}

const (
	get     = "GET / HTTP/1.1\n"
	host    = "Host: 127.0.0.1:PORT\n"
	auth    = "Authorization: Bearer " + good + "\n"
	upgrade = "Connection: Upgrade\nUpgrade: websocket\n"
)

func TestN01ToN12Gate(t *testing.T) {
	t.Parallel()
	s := start(t)
	bodies := map[int]string{}
	for _, c := range []struct {
		name, request string
		want          int
	}{
		{"plain", get + host + auth, 200},
		{"localhost", get + "Host: localhost:PORT\n" + auth, 200},
		{"IPv6", get + "Host: [::1]:PORT\n" + auth, 200},
		{"lower-case scheme", get + host + "Authorization: bearer " + good + "\n", 200},
		{"allowed origin", get + host + auth + "Origin: " + origin + "\n", 200},
		{"token subprotocol", get + host + upgrade + "Sec-WebSocket-Protocol: debug-bridge.v1, debug-bridge.token." + good + "\n", 200},
		{"own fetch site", get + host + auth + "Sec-Fetch-Site: same-origin\n", 200},
		{"app's WebSocket of another port", get + host + auth + upgrade + "Origin: " + origin + "\nSec-Fetch-Site: same-site\nSec-Fetch-Mode: websocket\n", 200},
		{"JSON", "POST / HTTP/1.1\n" + host + auth + "Content-Type: application/json; charset=UTF-8\nContent-Length: 2\n\n{}", 200},
		{"bound token with its origin", get + host + "Authorization: Bearer " + bound + "\nOrigin: " + origin + "\n", 200},

		{"N01 nothing", get + host, 401},
		{"N01 HEAD", "HEAD /json/version HTTP/1.1\n" + host, 401},
		{"N01 OPTIONS", "OPTIONS /debug HTTP/1.1\n" + host, 401},
		{"N01 TRACE", "TRACE / HTTP/1.1\n" + host, 401},
		{"N01 preflight", "OPTIONS / HTTP/1.1\n" + host + "Origin: http://evil.com\nAccess-Control-Request-Method: POST\nAccess-Control-Request-Private-Network: true\n", 403},
		{"N02 wrong", get + host + "Authorization: Bearer wrong\n", 401},
		{"N02 empty", get + host + "Authorization: Bearer \n", 401},
		{"N02 prefix", get + host + "Authorization: Bearer good-token\n", 401},
		{"N02 other case", get + host + "Authorization: Bearer GOOD-TOKEN-0123456789\n", 401},
		{"N02 two spaces", get + host + "Authorization: Bearer  " + good + "\n", 401},
		{"N02 long", get + host + "Authorization: Bearer " + strings.Repeat("a", 2000) + "\n", 401},
		{"N02 megabyte", get + host + "Authorization: Bearer " + strings.Repeat("a", 1<<20) + "\n", 400},
		{"N02 Basic", get + host + "Authorization: Basic " + good + "\n", 401},
		{"N03 empty header, token elsewhere", get + host + upgrade + "Authorization:\nSec-WebSocket-Protocol: debug-bridge.token." + good + "\n", 401},
		{"N03 subprotocol without a token", get + host + upgrade + "Sec-WebSocket-Protocol: debug-bridge.token.\n", 401},
		{"N03 token in the URL", "GET /?token=" + good + " HTTP/1.1\n" + host, 401},
		{"two headers", get + host + auth + auth, 401},
		{"header and subprotocol", get + host + auth + upgrade + "Sec-WebSocket-Protocol: debug-bridge.token." + good + "\n", 401},
		{"two subprotocols", get + host + upgrade + "Sec-WebSocket-Protocol: debug-bridge.token." + good + ", debug-bridge.token." + good + "\n", 401},
		{"subprotocol without upgrade", get + host + "Sec-WebSocket-Protocol: debug-bridge.token." + good + "\n", 401},
		{"bound token without origin", get + host + "Authorization: Bearer " + bound + "\n", 401},

		{"N06 evil", get + host + auth + "Origin: https://evil.com\n", 403},
		{"N06 unregistered port", get + host + auth + "Origin: http://localhost:3001\n", 403},
		{"N06 null", get + host + auth + "Origin: null\n", 403},
		{"N06 empty", get + host + auth + "Origin:\n", 403},
		{"N06 file", get + host + auth + "Origin: file://\n", 403},
		{"N06 extension", get + host + auth + "Origin: chrome-extension://other\n", 403},
		{"N06 other case", get + host + auth + "Origin: HTTP://localhost:3000\n", 403},
		{"N06 two", get + host + auth + "Origin: " + origin + "\nOrigin: " + origin + "\n", 403},
		{"N06 trailing slash", get + host + auth + "Origin: " + origin + "/\n", 403},
		{"N06 64 KB", get + host + auth + "Origin: " + strings.Repeat("o", 64<<10) + "\n", 400},
		{"N07 rebinding", get + "Host: evil.com:PORT\nOrigin: http://evil.com:PORT\n" + auth, 403},
		{"N08 missing", get + auth, 400},
		{"N08 missing, HTTP/1.0", "GET / HTTP/1.0\n" + auth, 400},
		{"N08 empty", get + "Host:\n" + auth, 400},
		{"N08 two", get + host + host + auth, 400},
		{"N08 malformed", get + "Host: a b\n" + auth, 400},
		{"N08 suffix", get + "Host: 127.0.0.1.evil.com:PORT\n" + auth, 403},
		{"N08 short", get + "Host: 127.1:PORT\n" + auth, 403},
		{"N08 hex", get + "Host: 0x7f000001:PORT\n" + auth, 403},
		{"N08 any", get + "Host: 0.0.0.0:PORT\n" + auth, 403},
		{"N08 mapped", get + "Host: [::ffff:127.0.0.1]:PORT\n" + auth, 403},
		{"N08 bracketed", get + "Host: [127.0.0.1]:PORT\n" + auth, 403},
		{"N08 trailing dot", get + "Host: localhost.:PORT\n" + auth, 403},
		{"N08 no port", get + "Host: 127.0.0.1\n" + auth, 403},
		{"N08 wrong port", get + "Host: 127.0.0.1:1\n" + auth, 403},
		{"N08 zero in port", get + "Host: 127.0.0.1:0PORT\n" + auth, 403},
		{"N08 userinfo", get + "Host: a@127.0.0.1:PORT\n" + auth, 400},
		{"N08 absolute form", "GET http://127.0.0.1:PORT/ HTTP/1.1\n" + host + auth, 400},
		{"N08 two slashes", "GET //evil.com/ HTTP/1.1\n" + host + auth, 400},
		{"N08 asterisk", "OPTIONS * HTTP/1.1\n" + host + auth, 400},
		{"N08 X-Forwarded-Host", get + host + auth + "X-Forwarded-Host: evil.com\n", 403},
		{"N11 cross-site", get + host + auth + "Sec-Fetch-Site: cross-site\n", 403},
		{"N11 same-site", get + host + auth + "Sec-Fetch-Site: same-site\n", 403},
		{"N11 same-site of an app, no WebSocket", get + host + auth + "Origin: " + origin + "\nSec-Fetch-Site: same-site\nSec-Fetch-Mode: cors\n", 403},
		{"N11 text/plain", "POST / HTTP/1.1\n" + host + auth + "Content-Type: text/plain\nContent-Length: 2\n\n{}", 415},
		{"N11 form", "POST / HTTP/1.1\n" + host + auth + "Content-Type: application/x-www-form-urlencoded\nContent-Length: 2\n\n{}", 415},
		{"N11 multipart", "POST / HTTP/1.1\n" + host + auth + "Content-Type: multipart/form-data; boundary=x\nContent-Length: 2\n\n{}", 415},
		{"N11 no type", "POST / HTTP/1.1\n" + host + auth + "Content-Length: 2\n\n{}", 415},
		{"N11 two types", "POST / HTTP/1.1\n" + host + auth + "Content-Type: application/json\nContent-Type: text/plain\nContent-Length: 2\n\n{}", 415},
		{"N11 charset", "POST / HTTP/1.1\n" + host + auth + "Content-Type: application/json; charset=utf-7\nContent-Length: 2\n\n{}", 415},
		{"N11 gzip", "POST / HTTP/1.1\n" + host + auth + "Content-Type: application/json\nContent-Encoding: gzip\nContent-Length: 2\n\n{}", 415},
		{"N11 GET with a body", get + host + auth + "Content-Length: 2\n\n{}", 415},
		{"N12 upgrade with a body", get + host + auth + upgrade + "Content-Length: 2\n\n{}", 400},
		{"N12 two lengths", "POST / HTTP/1.1\n" + host + auth + "Content-Type: application/json\nContent-Length: 2\nContent-Length: 3\n\n{}", 400},
		{"N12 unknown transfer encoding", "POST / HTTP/1.1\n" + host + auth + "Transfer-Encoding: gzip\n\n", 400},
		{"N12 HTTP/2", "PRI * HTTP/2.0\n\nSM\n", 400},
		{"N12 garbage", "\x16\x03\x01\x02\x00\x01\x00\n", 400},
		{"N12 space in a header name", get + host + "Authorization : Bearer " + good + "\n", 400},
		{"N12 Expect", get + host + auth + "Expect: something\n", 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := s.reached.Load()
			request := c.request
			if !strings.Contains(request, "\n\n") {
				request += "\n"
			}
			status, header, body := s.ask(t, request)
			if status != c.want {
				t.Fatalf("status %d %q, want %d", status, body, c.want)
			}
			if reached := s.reached.Load() > before; reached != (c.want == 200) {
				t.Fatalf("handler reached: %v", reached)
			}
			for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY"} {
				if header.Get(name) != want {
					t.Errorf("%s is %q", name, header.Get(name))
				}
			}
			for name := range header {
				if strings.HasPrefix(name, "Access-Control-") || name == "Server" {
					t.Errorf("header %s", name)
				}
			}
			if c.want != 200 && !strings.HasPrefix(c.request, "HEAD") {
				if known, ok := bodies[status]; ok && known != body {
					t.Errorf("two bodies of %d: %q and %q", status, known, body)
				}
				bodies[status] = body
			}
		})
	}
	if identity := s.last.Load().(gate.Identity); identity.Name != "bound" {
		t.Errorf("last identity %+v", identity)
	}
}

// A browser asks for a password over a page that it goes to, and not over one that is
// there and whose script was refused.
func TestOnlyWhereAPersonGoesIsAPasswordAskedFor(t *testing.T) {
	t.Parallel()
	s := start(t)
	for fetched, want := range map[string]bool{"": true, "Sec-Fetch-Mode: navigate\n": true, "Sec-Fetch-Mode: cors\n": false, "Sec-Fetch-Mode: no-cors\n": false} {
		status, header, _ := s.ask(t, "GET / HTTP/1.1\nHost: 127.0.0.1:PORT\n"+fetched+"\n")
		ways := header["Www-Authenticate"]
		if asked := slices.ContainsFunc(ways, func(way string) bool { return strings.HasPrefix(way, "Basic ") }); status != 401 || !slices.Contains(ways, "Bearer") || asked != want {
			t.Errorf("%q: %d %q", fetched, status, ways)
		}
	}
}

func TestN12PipelinedRequestIsCheckedToo(t *testing.T) {
	t.Parallel()
	s := start(t)
	conn := s.dial(t)
	raw := strings.ReplaceAll(strings.ReplaceAll(get+host+auth+"\n"+get+host+"\n"+get+host+auth+"\n", "PORT", fmt.Sprint(s.port)), "\n", "\r\n")
	if _, err := io.WriteString(conn, raw); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(answer), "HTTP/1.1 200"); n != 1 || !strings.Contains(string(answer), "HTTP/1.1 401") || s.reached.Load() != 1 {
		t.Fatalf("%d accepted, handler reached %d times:\n%s", n, s.reached.Load(), answer)
	}
}

func TestN28WrongTokensNeverDelayAValidOne(t *testing.T) {
	t.Parallel()
	s := start(t)
	// p95 of a valid token. On a machine busy with other things the limit follows
	// what it takes without the flood.
	p95 := func() time.Duration {
		var times []time.Duration
		for range 100 {
			began := time.Now()
			if status, _, _ := s.ask(t, get+host+auth+"Connection: close\n\n"); status != 200 {
				t.Errorf("a valid token got %d", status)
			}
			times = append(times, time.Since(began))
		}
		slices.Sort(times)
		return times[95]
	}
	limit := max(100*time.Millisecond, 3*p95())
	var statuses sync.Map
	stop := make(chan struct{})
	var flood sync.WaitGroup
	for range 4 {
		flood.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				request, err := http.NewRequest(http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/", s.port), nil)
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("Authorization", "Bearer wrong")
				answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
				if err != nil {
					continue // pushed out of the lobby by the flood's own others
				}
				answer.Body.Close()
				statuses.Store(answer.StatusCode, true)
			}
		})
	}
	flooded := p95()
	close(stop)
	flood.Wait()
	if flooded > limit {
		t.Errorf("p95 of a valid token is %v, limit %v", flooded, limit)
	}
	for _, want := range []int{401, 429} {
		if _, ok := statuses.Load(want); !ok {
			t.Errorf("no wrong token got %d", want)
		}
	}
	statuses.Range(func(status, _ any) bool {
		if status != 401 && status != 429 {
			t.Errorf("a wrong token got %v", status)
		}
		return true
	})
}

func TestRateRecovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		handler := gate.New(gate.Config{
			Port: func() int { return 9224 }, Origins: func(string) bool { return false },
			Verify: func(string) (gate.Identity, bool) { return gate.Identity{}, false }, Log: zerolog.Nop(),
		}, http.NotFoundHandler())
		ask := func(token string) int {
			w := &recorder{header: http.Header{}}
			r := &http.Request{Method: "GET", RequestURI: "/", URL: &url.URL{Path: "/"}, Host: "localhost:9224", Header: http.Header{}}
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			handler.ServeHTTP(w, r)
			return w.status
		}
		for range 100 {
			if status := ask(""); status != 401 {
				t.Fatalf("no token: %d", status)
			}
		}
		for range 20 {
			if status := ask("x"); status != 401 {
				t.Fatalf("wrong token: %d", status)
			}
		}
		if status := ask("x"); status != 429 {
			t.Fatalf("the 21st wrong token: %d", status)
		}
		time.Sleep(4 * time.Second)
		if status := ask("x"); status != 401 {
			t.Fatalf("after a while: %d", status)
		}
	})
}

type recorder struct {
	header http.Header
	status int
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Write(p []byte) (int, error) { return len(p), nil }

func TestA13SilentConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	var silent []net.Conn
	for range 100 {
		silent = append(silent, s.dial(t))
	}
	if status, _, _ := s.ask(t, get+host+auth+"\n"); status != 200 {
		t.Fatalf("an honest client got %d among silent ones", status)
	}
	// The oldest were closed at once, the last ones after three seconds.
	began := time.Now()
	for i, conn := range silent {
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Fatal("a silent connection was answered")
		}
		if i == 50 && time.Since(began) > 2*time.Second {
			t.Errorf("the oldest connection of %d was kept", len(silent))
		}
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("silent connections were kept for %v", took)
	}
}

// Hundreds who connect and say nothing keep an honest client waiting for a moment only,
// and so does a stream of them that goes on.
func TestN28SilentCrowd(t *testing.T) {
	t.Parallel()
	s := start(t)
	for range 500 {
		s.dial(t)
	}
	began := time.Now()
	if status, _, _ := s.ask(t, get+host+auth+"Connection: close\n\n"); status != 200 {
		t.Fatalf("an honest client got %d", status)
	}
	// One place after the other at lobbyYoung each would take 7.5 s.
	took := time.Since(began)
	t.Logf("behind 500 silent ones: %v", took)
	if took > 5*time.Second {
		t.Errorf("an honest client waited for %v", took)
	}
	stop := make(chan struct{})
	var flood sync.WaitGroup
	for range 4 {
		flood.Go(func() {
			var open []net.Conn
			defer func() {
				for _, conn := range open {
					_ = conn.Close()
				}
			}()
			for {
				select {
				case <-stop:
					return
				case <-time.After(4 * time.Millisecond): // a thousand a second, all together
				}
				if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port)); err == nil {
					if open = append(open, conn); len(open) > 100 {
						_ = open[0].Close()
						open = open[1:]
					}
				}
			}
		})
	}
	served := 0
	for range 10 {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
		if err != nil {
			t.Error(err)
			break
		}
		_ = conn.SetDeadline(time.Now().Add(15 * time.Second))
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", s.port, good)
		if answer, err := io.ReadAll(conn); err == nil && strings.HasPrefix(string(answer), "HTTP/1.1 200") {
			served++
		}
		_ = conn.Close()
	}
	close(stop)
	flood.Wait()
	if served < 8 {
		t.Errorf("%d of 10 honest clients were served beside a flood", served)
	}
}

func TestLocal(t *testing.T) {
	t.Parallel()
	var got gate.Identity
	handler := gate.Local(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got, _ = gate.From(r.Context()) }))
	handler.ServeHTTP(&recorder{header: http.Header{}}, &http.Request{Method: "GET", Header: http.Header{}})
	if !got.Local || got.Name != gate.LocalName || !got.Fits(gate.RoleAgent) || !got.Fits(gate.RoleApp) {
		t.Fatalf("%+v", got)
	}
	w := &recorder{header: http.Header{}}
	handler.ServeHTTP(w, &http.Request{Method: "GET", Header: http.Header{"Origin": {"http://a"}}})
	if w.status != 403 {
		t.Fatalf("a browser on the socket got %d", w.status)
	}
}
