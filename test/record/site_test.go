package record

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Secrets that a recording must not hold. Each has a way of its own into the page.
const (
	typedPassword = "correct-horse-battery"
	agentPassword = "agents-own-passphrase"
	urlToken      = "urltoken-4f9a2b7c"
	bearer        = "bearer-91c7e55a0d"
	cookie        = "cookievalue-77aa31"
	card          = "4111 1111 1111 1111"
	cardTyped     = "5555555555554444"
	bodySecret    = "bodysecret-0c1d2e3f"
	metaToken     = "metatoken-6b6b6b"
)

var secrets = []string{typedPassword, agentPassword, urlToken, bearer, cookie, card, cardTyped, bodySecret, metaToken}

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Orders</title>
<meta name="csrf-token" content="` + metaToken + `">
<style>:root { --token-colour: #123456; } body { font: 16px sans-serif; } .done { color: green }</style></head><body>
<h1>Orders</h1>
<form id="order">
<label>Customer <input id="customer" name="customer" autocomplete="off"></label>
<label>Password <input id="pw" type="password" name="password" autocomplete="off"></label>
<label>Card <input id="card" name="cardnumber" autocomplete="off"></label>
<label>Size <select id="size"><option>Small</option><option>Large</option></select></label>
<button id="save" type="submit">Save order</button>
</form>
<button id="break">Break</button>
<a id="next" href="/second?token=` + urlToken + `">Second page</a>
<p id="out"></p><p>Paid with ` + card + `</p>
<script>
document.cookie = 'sid=` + cookie + `';
order.addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = await fetch('/api/order?token=` + urlToken + `', {method: 'POST',
    headers: {'Authorization': 'Bearer ` + bearer + `', 'Content-Type': 'application/json'},
    body: JSON.stringify({customer: customer.value, password: pw.value, size: size.value})});
  const told = await answer.json();
  out.textContent = 'Saved for ' + told.customer;
  out.className = 'done';
  console.log('saved', told.customer, 'password: ' + pw.value);
});
document.getElementById('break').addEventListener('click', () => { console.error('it is broken'); throw new Error('thrown by Break'); });
</script></body></html>`

// site serves the page that is recorded.
func site(t testing.TB) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, page)
		case "/second":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, `<!doctype html><title>Second</title><h1>Second page</h1><button id="more">More</button><p id="n">0</p>
<script>more.onclick = () => { n.textContent = Number(n.textContent) + 1; }</script>`)
		case "/busy":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, busyPage)
		case "/api/order":
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"customer":"Ada Lovelace","access_token":%q,"items":[1,2,3]}`, bodySecret)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// busyPage is an app with something going on: a list that changes, a clock, a chart of boxes.
const busyPage = `<!doctype html><title>Busy</title><h1>Busy</h1><p id="clock"></p><ul id="list"></ul><div id="boxes"></div>
<script>
for (let i = 0; i < 300; i++) list.append(Object.assign(document.createElement('li'), {textContent: 'Row ' + i}));
for (let i = 0; i < 60; i++) { const box = document.createElement('div'); box.style.cssText = 'display:inline-block;width:8px;height:20px;background:#38c'; boxes.append(box); }
let n = 0;
setInterval(() => {
  n++;
  clock.textContent = 'Tick ' + n;
  list.children[n % 300].textContent = 'Row ' + (n % 300) + ' changed ' + n;
  boxes.children[n % 60].style.height = (10 + n % 40) + 'px';
  if (n % 10 === 0) { list.append(Object.assign(document.createElement('li'), {textContent: 'New row ' + n})); list.firstChild.remove(); }
}, 100);
</script>`
