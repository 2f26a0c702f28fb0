package audit

import (
	"bytes"
	"html/template"
	"strings"
)

// HTML is the report for people: one file that loads nothing.
func (a *A11y) HTML() ([]byte, error) { return render("a11y", a) }

// HTML is the report for people: one file that loads nothing.
func (p *Page) HTML() ([]byte, error) { return render("page", p) }

func render(name string, report any) ([]byte, error) {
	var out bytes.Buffer
	t, err := template.New("").Funcs(template.FuncMap{
		"counted": func(counts map[string]int) string {
			return counted(counts, append(append([]string{}, Impacts...), Severities...))
		},
		"size":   size,
		"amount": Vital.amount,
		"word":   func(text string) string { return strings.ReplaceAll(text, " ", "-") },
	}).Parse(pageTemplate)
	if err == nil {
		err = t.ExecuteTemplate(&out, name, report)
	}
	return out.Bytes(), err
}

const pageTemplate = `{{define "top"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{.}}</title>
<style>
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --bad: #b3261e; --warn: #8a5300; --ok: #1b6e3c; --calm: #31569e }
@media (prefers-color-scheme: dark) { :root { --bad: #ff9d94; --warn: #ffc26b; --ok: #7fd8a0; --calm: #a9c4ff } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin-bottom: 0 } h2 { font-size: 1.15rem; margin-top: 2rem } h3 { font-size: 1rem; margin: 0 }
p { margin: .3rem 0 } .where, code { font-family: ui-monospace, monospace; font-size: .85em; overflow-wrap: anywhere }
.card { border: 1px solid var(--line); border-left: 4px solid currentcolor; border-radius: 6px; padding: .7rem 1rem; margin: .7rem 0 }
.card > * { color: CanvasText } .card .mark { text-transform: capitalize }
.high, .critical, .poor { color: var(--bad) } .medium, .serious, .needs-improvement { color: var(--warn) } .low, .moderate { color: var(--calm) } .good { color: var(--ok) }
.vitals { display: flex; flex-wrap: wrap; gap: .7rem; padding: 0; list-style: none } .vitals li { background: var(--soft); border-radius: 6px; padding: .6rem 1rem } .vitals strong { display: block; font-size: 1.3rem }
ul { padding-left: 1.2rem; margin: .3rem 0 } table { border-collapse: collapse } td { padding: .15rem .8rem .15rem 0; vertical-align: top }
</style>
</head>
<body>{{end}}
{{define "place"}}{{if .Ref}}<b>{{.Ref}}</b> {{end}}{{.Selector}}{{if .At}} {{.At}}{{end}}{{if .Text}} {{.Text}}{{end}}{{if .Frame}} [frame {{.Frame}}]{{end}}{{end}}
{{define "rules"}}{{range .}}<section class="card {{.Impact}}">
<h3><span class="mark {{.Impact}}">{{.Impact}}</span> {{.Help}}</h3>
<p><code>{{.ID}}</code> · {{.Count}} {{if eq .Count 1}}element{{else}}elements{{end}} · <a href="{{.HelpURL}}" rel="noreferrer">how to mend it</a></p>
<ul>{{range .Nodes}}<li><span class="where">{{template "place" .Place}}</span><br>{{.Summary}}</li>{{end}}</ul>
</section>
{{end}}{{end}}
{{define "a11y"}}{{template "top" (printf "Accessibility of %s" .URL)}}
<h1>Accessibility</h1>
<p>{{with .Title}}{{.}} · {{end}}<span class="where">{{.URL}}</span></p>
<p>{{if .Violations}}{{len .Violations}} rules violated: {{counted .Counts}}.{{else}}No violations.{{end}} {{.Passes}} rules passed. {{if .Undecided}}{{.Undecided}} elements not decided.{{end}} {{if .Unheard}}{{.Unheard}} frames could not be looked into.{{end}} axe-core {{.Version}}</p>
{{if .Violations}}<h2>Violations</h2>
{{template "rules" .Violations}}{{end}}
{{if .Incomplete}}<h2>For a person to look at</h2>
{{template "rules" .Incomplete}}{{end}}
</body>
</html>
{{end}}
{{define "page"}}{{template "top" (printf "Audit of %s" .URL)}}
<h1>Audit</h1>
<p>{{with .Title}}{{.}} · {{end}}<span class="where">{{.URL}}</span></p>
<p>{{if .Findings}}{{counted .Counts}}.{{else}}Nothing found.{{end}} {{.Passed}} checks passed.{{if .Device}} Loaded as on a {{.Device}} device.{{end}}</p>
{{if .Vitals}}<h2>Vitals of this load</h2>
<ul class="vitals">{{range .Vitals}}<li>{{.Name}} <strong>{{amount .}}</strong> <span class="{{word .Rating}}">{{.Rating}}</span></li>{{end}}</ul>{{end}}
{{if .Findings}}<h2>Findings</h2>
{{range .Findings}}<section class="card {{.Severity}}">
<h3><span class="mark {{.Severity}}">{{.Severity}}</span> {{.Message}}</h3>
<p><code>{{.ID}}</code>{{if gt .Count 1}} · {{.Count}} times{{end}}{{with .Evidence}} · <span class="where">{{.}}</span>{{end}}</p>
{{if .Where}}<ul>{{range .Where}}<li class="where">{{template "place" .}}</li>{{end}}</ul>{{end}}
<p>{{.Fix}}</p>
</section>
{{end}}{{end}}
{{with .A11y}}<h2>Accessibility</h2>
<p>{{if .Worst}}{{counted .Counts}}. Worst: {{range $i, $w := .Worst}}{{if $i}}, {{end}}{{$w}}{{end}}{{if .More}} and {{.More}} more rules{{end}}.{{else}}No violations.{{end}}</p>{{end}}
{{with .Transfer}}{{if .Requests}}<h2>Transfer</h2>
<p>{{.Requests}} requests, {{size .Bytes}}</p>
<table>{{range .Biggest}}<tr><td>{{.Text}}</td><td class="where">{{.At}}</td></tr>{{end}}</table>{{end}}{{end}}
{{if .Skipped}}<h2>Not checked</h2>
<p>{{range $i, $s := .Skipped}}{{if $i}}, {{end}}{{$s}}{{end}}</p>{{end}}
{{range .Notes}}<p>{{.}}</p>
{{end}}</body>
</html>
{{end}}`
