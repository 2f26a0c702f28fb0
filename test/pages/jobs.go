package pages

import (
	"fmt"
	"net/http"
	"strings"
)

// jobsShell is what every page of the jobs has around it, as pages of real sites do.
const jobsShell = `<!doctype html><html lang="en"><meta charset="utf-8"><title>%s · Harbour office</title>
<header><a href="/jobs/welcome">Harbour office</a><nav aria-label="Main"><a href="/jobs/table">Orders</a> <a href="/jobs/booking">Berths</a> <a href="/jobs/fetch">Tides</a> <a href="/jobs/todo">Tasks</a> <a href="/jobs/article">History</a></nav>
<button type="button">Notifications</button> <button type="button">Account</button></header>
<main>%s</main>
<footer><a href="/jobs/imprint">Imprint</a> <a href="/jobs/privacy">Privacy</a> <small>© 2026 Harbour office</small></footer></html>`

// jobs serves /jobs/NAME: one page for each of the common jobs of an agent.
func jobs(mux *http.ServeMux) {
	for name, title := range map[string]string{
		"todo": "Tasks", "signin": "Sign in", "welcome": "Welcome", "table": "Orders", "error": "Invoice", "fetch": "Tides",
		"modal": "Projects", "booking": "Berths", "hidden": "Report", "upload": "Customs", "frames": "Check out", "controls": "Switchboard",
	} {
		mux.HandleFunc("GET /jobs/"+name, func(w http.ResponseWriter, r *http.Request) {
			body, err := files.ReadFile("files/jobs/" + name + ".html")
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			page(w, fmt.Sprintf(jobsShell, title, strings.ReplaceAll(string(body), "{{CROSS}}", cross(r))))
		})
	}
	mux.HandleFunc("GET /jobs/article", func(w http.ResponseWriter, _ *http.Request) { page(w, fmt.Sprintf(jobsShell, "History", article())) })
	mux.HandleFunc("GET /jobs/payment", func(w http.ResponseWriter, _ *http.Request) { serve(w, "files/jobs/payment.html", nil) })
	mux.HandleFunc("GET /jobs/invoice.js", func(w http.ResponseWriter, _ *http.Request) { serve(w, "files/jobs/invoice.js", nil) })
	mux.HandleFunc("GET /jobs/api/tides", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusBadGateway, map[string]string{"message": "the tide gauge at Cuxhaven does not answer"})
	})
}

// article is a long text: 12 chapters of 10 paragraphs, with one that says when the crane burnt down.
func article() string {
	who := []string{"The harbour master", "The pilots' guild", "A merchant of Bergen", "The city council", "The rope makers", "An engineer from Delft", "The widow of the owner"}
	did := []string{"had the quay raised by two feet", "bought the southern warehouse", "asked for a lower toll on timber", "laid the first stone of the lock",
		"kept a careful book of all arrivals", "sold forty barrels of tar", "let the channel be dredged", "refused to pay for the beacon"}
	why := []string{"after a spring flood had taken the old one", "since trade with the islands had doubled", "although the treasury was empty",
		"because the winter had been mild", "when the war in the north was over", "to the delight of the fishermen", "against the advice of the surveyor",
		"in the hope of better years", "as the chronicle tells at length"}
	var text strings.Builder
	text.WriteString("<article><h1>A history of the harbour</h1>")
	for n := range 120 {
		if n%10 == 0 {
			fmt.Fprintf(&text, "<h2>Chapter %d</h2>", n/10+1)
		}
		text.WriteString("<p>")
		if n == 87 {
			text.WriteString("The great crane burnt down in the night of 14 March 1783, when a lamp fell into the hemp. ")
		}
		for s := range 5 {
			fmt.Fprintf(&text, "In %d %s %s, %s. ", 1612+n*2+s%2, strings.Replace(who[(n+s)%len(who)], "The", "the", 1), did[(n*3+s)%len(did)], why[(n*5+s*2)%len(why)])
		}
		text.WriteString("</p>")
	}
	return text.String() + "</article>"
}
