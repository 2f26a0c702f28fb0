package http

import (
	"cmp"
	nethttp "net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

type object = catalog.Schema

// OpenAPI is the document of the API, OpenAPI 3.1, made of the catalogue.
var OpenAPI = sync.OnceValue(func() []byte {
	data, err := json.Marshal(document(), json.Deterministic(true), jsontext.WithIndent(""))
	if err != nil {
		panic("http: the OpenAPI document cannot be written: " + err.Error()) // a test makes it
	}
	return append(data, '\n')
})

// openAPI serves GET /v1/openapi.json.
func (a *API) openAPI(c *call) {
	if err := c.only(); err != nil {
		c.fail(err)
		return
	}
	c.head(nethttp.StatusOK)
	c.write(nethttp.StatusOK, typeJSON, OpenAPI())
}

func document() object {
	schemas, paths := baseSchemas(), object{}
	for _, cmd := range command.All {
		schemas[cmd.Name+".params"], schemas[cmd.Name+".result"] = cmd.InputSchema(), cmd.OutputSchema()
		item := object{"post": postOf(cmd)}
		if cmd.Effect == catalog.Read {
			item["get"] = getOf(cmd)
		}
		paths[pathOf(cmd)] = item
	}
	for _, alias := range Aliases {
		path, _, _ := aliasPath(alias)
		item, _ := paths[path].(object)
		if item == nil {
			item = object{}
		}
		item[strings.ToLower(alias.Method)] = aliasOf(alias)
		paths[path] = item
	}
	paths["/v1"] = object{"get": ownOf("index", "List the resources and their commands.", object{"type": "object"})}
	paths["/v1/overview"] = object{"get": ownOf("overview", "What you may see: sessions, pages, agents, the last commands.", catalog.SchemaOf[Overview]())}
	paths["/v1/openapi.json"] = object{"get": object{
		"operationId": "openapi", "summary": "This document.", "tags": []string{"api"},
		"responses": object{"200": object{"description": "The document.", "content": object{typeJSON: object{"schema": object{"type": "object"}}}}},
	}}
	paths["/v1/events"] = object{"get": eventsOf()}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Debug Bridge", "version": "1",
			"description": "Commands over HTTP, on this computer's loopback only. See docs/http.md.",
			"license":     object{"name": "MIT", "identifier": "MIT"},
		},
		"servers":  []object{{"url": "http://127.0.0.1:9224"}},
		"security": []object{{"bearer": []string{}}},
		"tags":     tags(),
		"paths":    paths,
		"components": object{
			"schemas": schemas, "parameters": commonParameters(), "responses": refusals(),
			"securitySchemes": object{"bearer": object{"type": "http", "scheme": "bearer", "description": "A token of `dbridge token new NAME`."}},
		},
	}
}

func tags() []object {
	list := []object{{"name": "api"}, {"name": "alias", "description": "Routes of older clients; the answer has its members at the top."}}
	for _, name := range command.All.Resources() {
		list = append(list, object{"name": name})
	}
	return list
}

func ref(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

func baseSchemas() object {
	text, whole := object{"type": "string"}, object{"type": "integer"}
	codes := []fault.Code{}
	for _, row := range fault.Rows() {
		codes = append(codes, row.Code)
	}
	slices.Sort(codes)
	return object{
		"Meta": object{"type": "object", "required": []string{"requestId", "durationMs"}, "properties": object{
			"requestId": text, "durationMs": whole, "retryable": object{"type": "boolean"},
			"repeated": object{"type": "boolean", "description": "Given again for a repeated request id; nothing ran."},
			"warnings": object{"type": "array", "items": text},
		}},
		"Failure": object{"type": "object", "required": []string{"ok", "error", "meta"}, "properties": object{
			"ok": object{"const": false},
			"error": object{"type": "object", "required": []string{"code", "message", "suggestions"}, "properties": object{
				"code": object{"type": "string", "enum": codes}, "message": text, "details": object{"type": "object"},
				"suggestions": object{"type": "array", "items": text, "minItems": 1},
			}},
			"meta": ref("schemas", "Meta"),
		}},
	}
}

// refusals are what every route can answer before it does anything.
func refusals() object {
	out := object{}
	codes := map[int][]string{nethttp.StatusRequestEntityTooLarge: {string(fault.ValidationError)}, nethttp.StatusRequestTimeout: {string(fault.Timeout)}, nethttp.StatusConflict: {string(fault.TargetAmbiguous)}}
	for _, row := range fault.Rows() {
		codes[row.HTTP] = append(codes[row.HTTP], string(row.Code))
	}
	for status, names := range codes {
		slices.Sort(names)
		out["Status"+strconv.Itoa(status)] = object{
			"description": strings.Join(names, ", "),
			"content":     object{typeJSON: object{"schema": ref("schemas", "Failure")}},
		}
	}
	plain := object{"text/plain": object{"schema": object{"type": "string"}}}
	constant := func(words string) object { return object{"description": words, "content": plain} }
	out["Unauthorized"] = constant("No valid token.")
	out["Refused"] = constant("Host, Origin or the token's role is not allowed.")
	out["MediaType"] = constant("The body is not application/json.")
	out["TooMany"] = constant("Too many wrong tokens.")
	return out
}

var commonNames = []string{"page", "timeoutMs", "profile", "session", "fields", "requestId"}

func commonParameters() object {
	query := func(name string, schema object, words string) object {
		return object{"name": name, "in": "query", "schema": schema, "description": words}
	}
	text := object{"type": "string"}
	return object{
		"page":      query("page", object{"type": "integer", "minimum": 1}, "The page; the current one without it."),
		"timeoutMs": query("timeoutMs", object{"type": "integer", "minimum": 1, "maximum": protocol.MaxTimeout.Milliseconds()}, "Time limit; the command's own without it."),
		"profile":   query("profile", text, "Profile of the browser."),
		"session":   query("session", object{"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"}, "Session of the person's connected tabs, instead of your own browser."),
		"fields":    query("fields", text, "Keep only these members of the data: a,b.c."),
		"requestId": object{"name": RequestIDHeader, "in": "header", "schema": object{"type": "string", "minLength": 1, "maxLength": maxRequestID}, "description": "Sent again with the same request, it gives the same answer and runs nothing."},
	}
}

func commonRefs(except ...string) []any {
	var list []any
	for _, name := range commonNames {
		if !slices.Contains(except, name) {
			list = append(list, ref("parameters", name))
		}
	}
	return list
}

func described(cmd *catalog.Command, id string) object {
	op := object{"operationId": id, "summary": cmd.Summary, "tags": []string{cmd.Resource()}, "responses": responsesOf(cmd, false), "x-codes": cmd.Errors()}
	if cmd.Long != "" {
		op["description"] = cmd.Long
	}
	return op
}

func postOf(cmd *catalog.Command) object {
	op := described(cmd, cmd.Name)
	op["parameters"] = commonRefs()
	op["requestBody"] = bodyOf(ref("schemas", cmd.Name+".params"), hasRequired(cmd))
	return op
}

func bodyOf(schema object, required bool) object {
	return object{"required": required, "content": object{typeJSON: object{"schema": schema}}}
}

func hasRequired(cmd *catalog.Command) bool {
	return slices.ContainsFunc(cmd.Fields(), func(f catalog.Field) bool { return f.Required })
}

func getOf(cmd *catalog.Command) object {
	op := described(cmd, cmd.Name+".get")
	var own []string
	var list []any
	for _, f := range cmd.Fields() {
		own = append(own, f.Name)
		list = append(list, queryOf(cmd, f))
	}
	op["parameters"] = append(list, commonRefs(own...)...)
	delete(op, "x-codes") // those of the POST
	return op
}

// queryOf is a parameter of the query. One of any JSON is written as JSON.
func queryOf(cmd *catalog.Command, f catalog.Field) object {
	properties, _ := cmd.InputSchema()["properties"].(catalog.Schema)
	schema := properties[f.Name]
	p := object{"name": f.Name, "in": "query"}
	if f.Required {
		p["required"] = true
	}
	if f.Doc != "" {
		p["description"] = f.Doc
	}
	if f.Kind == catalog.JSON {
		p["content"] = object{typeJSON: object{"schema": schema}}
	} else {
		p["schema"] = schema
	}
	return p
}

// responsesOf are the answers: the result, and for each status the codes that it can mean.
func responsesOf(cmd *catalog.Command, flat bool) object {
	result := ref("schemas", cmd.Name+".result")
	ok := object{"const": true}
	answer := object{"type": "object", "required": []string{"ok", "data", "meta"}, "properties": object{"ok": ok, "data": result, "meta": ref("schemas", "Meta")}}
	content := object{typeJSON: object{"schema": answer}, typeText: object{"schema": object{"type": "string"}}, typeLines: object{"schema": object{"type": "string"}}}
	if flat {
		content = object{typeJSON: object{"schema": object{"type": "object", "required": []string{"ok"}, "properties": object{"ok": ok}}}}
	}
	if cmd.Name == "capture.screenshot" && !flat {
		for _, media := range []string{typePNG, typeJPEG, typeWebP} {
			content[media] = object{}
		}
	}
	out := object{
		"200": object{"description": "Done.", "content": content, "headers": object{RequestIDHeader: object{"schema": object{"type": "string"}}}},
		"408": ref("responses", "Status408"), "413": ref("responses", "Status413"), "415": ref("responses", "MediaType"), "429": ref("responses", "TooMany"),
	}
	codes := []fault.Code{fault.RequestIDConflict}
	if flat {
		codes = append(codes, fault.TargetAmbiguous)
	}
	codes = append(codes, cmd.Errors()...)
	for _, code := range codes {
		if row, known := fault.Lookup(code); known {
			out[strconv.Itoa(row.HTTP)] = ref("responses", "Status"+strconv.Itoa(row.HTTP))
		}
	}
	out["401"] = ref("responses", "Unauthorized")
	if _, there := out["403"]; !there {
		out["403"] = ref("responses", "Refused")
	}
	return out
}

// aliasPath is an alias's path as OpenAPI writes it, and the parameter in it.
func aliasPath(alias Alias) (path, variable string, ok bool) {
	if strings.HasSuffix(alias.Path, "/") {
		return alias.Path + "{targetId}", "targetId", true
	}
	return alias.Path, "", false
}

func aliasOf(alias Alias) object {
	cmd := commandOf(alias.Command)
	op := object{
		"operationId": "alias." + strings.ToLower(alias.Method) + strings.NewReplacer("/", ".", "{", "", "}", "").Replace(strings.TrimSuffix(alias.Path, "/")),
		"summary":     alias.Summary, "tags": []string{"alias"}, "responses": responsesOf(cmd, true),
	}
	list := []any{}
	target := object{"type": "string", "description": "A tab's targetId, or as much of it as is unique."}
	_, _, inPath := aliasPath(alias)
	if inPath {
		list = append(list, object{"name": "targetId", "in": "path", "required": true, "schema": target})
	}
	if alias.Method == nethttp.MethodPost {
		op["parameters"] = commonRefs()
		op["requestBody"] = bodyOf(aliasBody(alias, cmd, target), alias.Must || alias.steps != nil)
		return op
	}
	if alias.Target && !inPath {
		list = append(list, object{"name": "targetId", "in": "query", "schema": target})
	}
	var own []string
	for _, f := range cmd.Fields() {
		if f.Name != "page" && (alias.takes == nil || slices.Contains(alias.takes, f.Name)) {
			own = append(own, f.Name)
			list = append(list, queryOf(cmd, f))
		}
	}
	op["parameters"] = append(list, commonRefs(own...)...)
	return op
}

func aliasBody(alias Alias, cmd *catalog.Command, target object) object {
	properties := object{}
	required := []string{}
	switch {
	case alias.steps != nil:
		names := []string{}
		for name := range kinds {
			names = append(names, name)
		}
		slices.Sort(names)
		properties["kind"] = object{"type": "string", "enum": names}
		required = append(required, "kind")
	case alias.takes == nil:
		input := cmd.InputSchema()
		own, _ := input["properties"].(catalog.Schema)
		for name, schema := range own {
			properties[name] = schema
		}
		needed, _ := input["required"].([]string)
		required = append(required, needed...)
	}
	if alias.Target {
		properties["targetId"] = target
		if alias.Must {
			required = append(required, "targetId")
		}
	}
	schema := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// ownOf is a route that is no command's.
func ownOf(id, summary string, data object) object {
	answer := object{"type": "object", "required": []string{"ok", "data", "meta"}, "properties": object{"ok": object{"const": true}, "data": data, "meta": ref("schemas", "Meta")}}
	return object{
		"operationId": id, "summary": summary, "tags": []string{"api"}, "parameters": commonRefs(),
		"responses": object{
			"200": object{"description": "Done.", "content": object{typeJSON: object{"schema": answer}}},
			"400": object{"description": string(fault.ValidationError), "content": object{typeJSON: object{"schema": ref("schemas", "Failure")}}},
			"401": ref("responses", "Unauthorized"), "403": ref("responses", "Refused"),
		},
	}
}

func eventsOf() object {
	op := ownOf("events", "The messages of a session as they come, as server-sent events.", object{})
	types := slices.Clone(session.LoggedTypes())
	slices.SortFunc(types, cmp.Compare)
	op["parameters"] = append([]any{
		object{"name": "since", "in": "query", "schema": object{"type": "integer", "minimum": 0}, "description": "Begin after this event."},
		object{"name": "epoch", "in": "query", "schema": object{"type": "string"}, "description": "Run of the daemon that since is of."},
		object{"name": "types", "in": "query", "style": "form", "explode": false, "schema": object{"type": "array", "items": object{"type": "string", "enum": types}}, "description": "Only these."},
		object{"name": "Last-Event-ID", "in": "header", "schema": object{"type": "string"}, "description": "EPOCH:SEQ; in place of since and epoch."},
	}, commonRefs()...)
	responses, _ := op["responses"].(object)
	responses["200"] = object{"description": "The stream.", "content": object{typeEvents: object{"schema": object{"type": "string"}}}}
	return op
}
