package gate_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// A body whose end two readers may see at different places is the last thing on its
// connection: what stands behind it runs nowhere, whichever end the sender had in mind.
func TestN12NothingBehindADoubtfulLength(t *testing.T) {
	t.Parallel()
	const post = "POST / HTTP/1.1\n" + host + auth + "Content-Type: application/json\n"
	const second = get + host + auth + "\n"
	for name, c := range map[string]struct {
		request string
		want    int // of the first; the second has no answer
	}{
		"length and chunks":                     {post + "Content-Length: 2\nTransfer-Encoding: chunked\n\n2\n{}\n0\n\n" + second, 200},
		"chunks and length":                     {post + "Transfer-Encoding: chunked\nContent-Length: 4\n\n2\n{}\n0\n\n" + second, 200},
		"chunks, and a length over both":        {post + "Transfer-Encoding: chunked\nContent-Length: 1000\n\n0\n\n" + second, 200},
		"chunks":                                {post + "Transfer-Encoding: chunked\n\n2\n{}\n0\n\n" + second, 200},
		"chunks in HTTP/1.0":                    {"POST / HTTP/1.0\n" + host + auth + "Connection: keep-alive\nContent-Type: application/json\nTransfer-Encoding: chunked\nContent-Length: 2\n\n{}" + second, 200},
		"two encodings":                         {post + "Transfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n" + second, 400},
		"another encoding before":               {post + "Transfer-Encoding: gzip, chunked\n\n0\n\n" + second, 400},
		"an encoding that is none":              {post + "Transfer-Encoding: xchunked\n\n0\n\n" + second, 400},
		"a tab before chunked":                  {post + "Transfer-Encoding: \x0bchunked\n\n0\n\n" + second, 400},
		"a sign before the length":              {post + "Content-Length: +2\n\n{}" + second, 400},
		"two lengths in one line":               {post + "Content-Length: 2, 3\n\n{}" + second, 400},
		"an upgrade with chunks":                {get + host + auth + upgrade + "Transfer-Encoding: chunked\n\n0\n\n" + second, 400},
		"h2c with a body":                       {post + "Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__\nContent-Length: 2\n\n{}" + second, 400},
		"a request in what no length speaks of": {get + host + auth + "Connection: close\n\n" + second, 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			conn := s.dial(t)
			if _, err := io.WriteString(conn, strings.ReplaceAll(strings.ReplaceAll(c.request, "PORT", fmt.Sprint(s.port)), "\n", "\r\n")); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(conn)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(answer), "HTTP/1."); n != 1 || !strings.Contains(string(answer[:min(len(answer), 20)]), fmt.Sprintf(" %d ", c.want)) {
				t.Errorf("%d answers, want one with %d:\n%s", n, c.want, answer)
			}
			if reached := s.reached.Load(); reached > 1 || (reached == 1) != (c.want == 200) {
				t.Errorf("the handler was reached %d times", reached)
			}
		})
	}
}

// A method is spelled in capitals; another spelling is another method.
func TestN12LowerCaseMethod(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, method := range []string{"get", "post", "Post"} {
		if status, _, body := s.ask(t, method+" / HTTP/1.1\n"+host+auth+"Content-Type: text/plain\nContent-Length: 2\n\n{}"); status != 415 {
			t.Errorf("%s: %d %q", method, status, body)
		}
	}
	if n := s.reached.Load(); n != 0 {
		t.Errorf("the handler was reached %d times", n)
	}
}
