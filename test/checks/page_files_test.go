package checks

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// P-33: windows that a page opens are told with their opener, whatever way they are opened, from their first line on; a hundred of them are bounded.
func TestP33Popups(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{
		"/": `<!doctype html><title>Opener</title><button onclick="window.open('/popup?open')">Open</button><a href="/popup?blank" target=_blank>Blank</a>
<a href="{{CROSS}}/popup?cross" target=_blank rel=noopener>Noopener</a><button onclick="window.open('/popup?features', 'x', 'width=300,height=200,noopener')">Features</button>
<button onclick="for (let i = 0; i < 100; i++) window.open('/popup?' + i)">Hundred</button>`,
		"/popup": `<!doctype html><title>Popup</title><button onclick="this.after(' pressed')">Inside</button><script>console.log('first line ' + location.search)</script>`,
	}, nil)
	e := s.managed(t, "/")
	for i, c := range [][]string{{`button "Open"`, "?open"}, {`link "Blank"`, "?blank"}, {`link "Noopener"`, "?cross"}, {`button "Features"`, "?features"}} {
		after, _ := e.OK("element", "click", c[0], "--page", "1")["after"].(map[string]any)
		told, _ := after["newPage"].(map[string]any)
		id, _ := told["pageId"].(float64)
		if url, _ := told["url"].(string); id != float64(i+2) || !strings.HasSuffix(url, c[1]) {
			t.Fatalf("%s: the click told %v", c[0], after)
		}
		page := number(id)
		e.OK("page", "wait-text", "Inside", "--page", page) // its first document may just give way to the next
		e.OK("element", "click", `button "Inside"`, "--page", page)
		contains(t, e.Text("capture", "snapshot", "--page", page), "pressed")
		contains(t, e.Text("console", "list", "--page", page), "first line "+c[1])
		for _, row := range rowsOf(e.OK("page", "list"), "pages") {
			if row["pageId"] == id && row["openedBy"] != 1.0 {
				t.Errorf("%s: %v", c[0], row)
			}
			if row["current"] == true && row["pageId"] != 1.0 {
				t.Errorf("the popup took the context's current page: %v", row)
			}
		}
	}
	before := len(rowsOf(e.OK("page", "list"), "pages"))
	e.OK("element", "click", `button "Hundred"`, "--page", "1")
	if n := len(rowsOf(e.OK("page", "list"), "pages")) - before; n > 20 {
		t.Errorf("%d windows of one click", n)
	}
	if got := e.OK("runtime", "eval", "document.title", "--page", "1")["value"]; got != "Opener" {
		t.Errorf("the opener is %v", got)
	}
}

// P-32: files go up and come down, of any size and name, and nothing is written outside of the context's folder.
func TestP32Files(t *testing.T) {
	t.Parallel()
	big := int64(64 << 20)
	if thorough() {
		big = 2 << 30
	}
	attach := func(name string, bytes int64) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Disposition", name)
			w.Header().Set("Content-Length", strconv.FormatInt(bytes, 10))
			chunk := make([]byte, 1<<20)
			for left := bytes; left > 0; {
				n, err := w.Write(chunk[:min(left, int64(len(chunk)))])
				if err != nil {
					return
				}
				left -= int64(n)
			}
		}
	}
	s := servePages(t, map[string]string{
		"/": `<!doctype html><title>Files</title><label>Choose <input type=file id=f multiple onchange="this.after(' ' + [...this.files].map((f) => f.name + ':' + f.size).join())"></label>
<form action=/up method=post enctype=multipart/form-data><label>Send <input type=file name=file></label><button>Upload</button></form>
<a href=/empty>Empty</a> <a href=/nasty>Nasty</a> <a href=/rtl>Rtl</a> <a href=/big>Big</a> <a href=/device>Device</a> <a href=/plain download="../../evil.txt">Attribute</a>
<button onclick="for (let i = 0; i < 5; i++) { const a = document.createElement('a'); a.href = '/plain?' + i; a.download = ''; a.click() }">Drive-by</button>`,
		"/plain": "text",
	}, map[string]http.HandlerFunc{
		"/empty":  attach(`attachment; filename="empty.bin"`, 0),
		"/nasty":  attach(`attachment; filename*=UTF-8''..%2F..%2F..%2Fetc%2Fcron.d%2Fevil.sh`, 5),
		"/rtl":    attach(`attachment; filename*=UTF-8''inv%E2%80%AEfdp.exe`, 5),
		"/device": attach(`attachment; filename=".bashrc"`, 5),
		"/big":    attach(`attachment; filename="big.bin"`, big),
		"/up": func(w http.ResponseWriter, r *http.Request) {
			n, _ := io.Copy(io.Discard, r.Body)
			_, _ = fmt.Fprintf(w, "got %d", n)
		},
	})
	e := s.managed(t, "/")

	// Up: nothing, a name of other scripts, two gigabytes, of which no byte is read before the page does.
	for name, size := range map[string]int64{"empty.txt": 0, "naïve 名 name.txt": 3, "big.img": 2 << 30} {
		file, err := os.Create(e.File(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(file.Truncate(size), file.Close()); err != nil { // a hole: no bytes on the disk
			t.Fatal(err)
		}
		within(t, 3*time.Second, "the upload of "+name, func() { e.OK("element", "upload", "#f", name) })
		if got := e.Eval("[...document.getElementById('f').files].map((f) => f.name + ':' + f.size).join()"); got != fmt.Sprintf("%s:%d", name, size) {
			t.Errorf("the page has %v", got)
		}
	}
	e.OK("element", "upload", "#f", "big.img")
	if got := e.Eval("fetch('/up', {method: 'POST', body: document.getElementById('f').files[0].slice(-10)}).then((r) => r.text())"); got != "got 10" {
		t.Errorf("the end of the large file: %v", got)
	}
	for _, wrong := range []string{"nowhere.txt", ".", "../../../../../../../../proc/self/mem/x"} {
		e.Fails("FILE_ACCESS_FAILED", 6, "element", "upload", "#f", wrong)
	}

	// Down: each file under a plain name of its own (the browser's own replacement of what is none), below the context's folder.
	down := func(link, want string, bytes float64) map[string]any {
		t.Helper()
		e.OK("element", "click", link)
		row := rowsOf(e.OK("page", "downloads", "--wait"), "downloads")[0]
		path, _ := row["path"].(string)
		if row["state"] != "completed" || row["bytes"] != bytes || filepath.Base(path) != want {
			t.Errorf("%s: %v", link, row)
		}
		if inside, err := filepath.Rel(e.Home, path); err != nil || !filepath.IsLocal(inside) {
			t.Errorf("%s: %s lies outside", link, path)
		}
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0 || float64(info.Size()) != bytes {
			t.Errorf("%s: %v %v", link, info, err)
		}
		return row
	}
	down(`link "Empty"`, "empty.bin", 0)
	down(`link "Nasty"`, "_.._.._etc_cron.d_evil.sh", 5)
	down(`link "Nasty"`, "_.._.._etc_cron.d_evil (1).sh", 5)
	down(`link "Rtl"`, "inv_fdp.exe", 5)
	down(`link "Device"`, "bashrc", 5)
	down(`link "Attribute"`, "_.._evil.txt", 4)
	within(t, 60*time.Second, "a large file", func() { down(`link "Big"`, "big.bin", float64(big)) })
	// Files that a page gives without being asked are in the list, too, and not many.
	e.OK("element", "click", `button "Drive-by"`)
	e.OK("page", "downloads", "--wait")
	for _, row := range rowsOf(e.OK("page", "downloads"), "downloads") {
		if path, _ := row["path"].(string); path != "" && !strings.HasPrefix(path, e.Home) {
			t.Errorf("%v", row)
		}
	}
}
