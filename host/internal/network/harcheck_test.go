package network

import (
	"encoding/json"
	"fmt"
	"time"
)

// CheckHAR lists what is against HAR 1.2 in a file: members that must be there and their types.
func CheckHAR(data []byte) (problems []string) {
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		return []string{err.Error()}
	}
	pairs := list{obj{"name": "string", "value": "string"}}
	cookies := list{obj{"name": "string", "value": "string"}}
	shape := obj{"log": obj{
		"version": "string", "creator": obj{"name": "string", "version": "string"},
		"pages": list{obj{"startedDateTime": "time", "id": "string", "title": "string", "pageTimings": obj{}}},
		"entries": list{obj{
			"startedDateTime": "time", "time": "positive", "cache": obj{},
			"request": obj{
				"method": "string", "url": "string", "httpVersion": "string", "cookies": cookies, "headers": pairs, "queryString": pairs,
				"headersSize": "number", "bodySize": "number", "postData?": obj{"mimeType": "string", "text": "string", "params": list{obj{"name": "string"}}},
			},
			"response": obj{
				"status": "number", "statusText": "string", "httpVersion": "string", "cookies": cookies, "headers": pairs,
				"content": obj{"size": "number", "mimeType": "string"}, "redirectURL": "string", "headersSize": "number", "bodySize": "number",
			},
			"timings": obj{"send": "positive", "wait": "positive", "receive": "positive"},
		}},
	}}
	check(root, shape, "", &problems)
	return problems
}

type (
	obj  map[string]any
	list []any
)

func check(value, shape any, at string, problems *[]string) {
	bad := func(want string) { *problems = append(*problems, fmt.Sprintf("%s is %v, not %s", at, value, want)) }
	switch want := shape.(type) {
	case obj:
		members, ok := value.(map[string]any)
		if !ok {
			bad("an object")
			return
		}
		for name, inner := range want {
			optional := name[len(name)-1] == '?'
			if optional {
				name = name[:len(name)-1]
			}
			if member, ok := members[name]; ok {
				check(member, inner, at+"."+name, problems)
			} else if !optional {
				*problems = append(*problems, at+"."+name+" is missing")
			}
		}
	case list:
		items, ok := value.([]any)
		if !ok {
			bad("a list")
			return
		}
		for i, item := range items {
			check(item, want[0], fmt.Sprintf("%s[%d]", at, i), problems)
		}
	case string:
		text, isText := value.(string)
		number, isNumber := value.(float64)
		switch want {
		case "string":
			if !isText {
				bad(want)
			}
		case "number":
			if !isNumber {
				bad(want)
			}
		case "positive":
			if !isNumber || number < 0 {
				bad(want)
			}
		case "time":
			if _, err := time.Parse(time.RFC3339Nano, text); err != nil {
				bad("ISO 8601")
			}
		}
	}
}
