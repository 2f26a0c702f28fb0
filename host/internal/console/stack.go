package console

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Frame is one call of a stack, counted from 1.
type Frame struct {
	Function string `json:"function,omitempty"`
	URL      string `json:"url"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// String is the frame as stacks are written.
func (f Frame) String() string {
	place := f.URL + ":" + strconv.Itoa(f.Line) + ":" + strconv.Itoa(f.Column)
	if f.Function == "" {
		return "at " + place
	}
	return "at " + f.Function + " (" + place + ")"
}

// stackTrace is CDP's (Runtime.StackTrace), counted from 0.
type stackTrace struct {
	Description string `json:"description"`
	CallFrames  []struct {
		FunctionName string `json:"functionName"`
		URL          string `json:"url"`
		LineNumber   int    `json:"lineNumber"`
		ColumnNumber int    `json:"columnNumber"`
	} `json:"callFrames"`
	Parent *stackTrace `json:"parent"`
}

// maxFrames bounds a stack with its asynchronous parents.
const maxFrames = 50

func (s *stackTrace) frames() []Frame {
	var list []Frame
	for ; s != nil; s = s.Parent {
		for _, f := range s.CallFrames {
			if len(list) == maxFrames {
				return list
			}
			list = append(list, Frame{f.FunctionName, f.URL, f.LineNumber + 1, f.ColumnNumber + 1})
		}
	}
	return list
}

func (s *stackTrace) text() string {
	if s == nil {
		return ""
	}
	var b strings.Builder
	for _, f := range s.frames() {
		b.WriteString("    " + f.String() + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// stackOf reads the stack of a console or exception event.
func stackOf(event jsontext.Value) *stackTrace {
	var read struct {
		StackTrace *stackTrace `json:"stackTrace"`
		Details    struct {
			StackTrace *stackTrace `json:"stackTrace"`
		} `json:"exceptionDetails"`
	}
	if len(event) == 0 || decode(event, &read) != nil {
		return nil
	}
	if read.StackTrace == nil {
		return read.Details.StackTrace
	}
	return read.StackTrace
}

// parseStack reads a stack as V8 writes it; lines that are no calls are left out.
func parseStack(text string) []Frame {
	var list []Frame
	for line := range strings.SplitSeq(text, "\n") {
		line, found := strings.CutPrefix(strings.TrimSpace(line), "at ")
		if !found || len(list) == maxFrames {
			continue
		}
		f := Frame{}
		if open := strings.LastIndex(line, " ("); open >= 0 && strings.HasSuffix(line, ")") {
			f.Function, line = line[:open], line[open+2:len(line)-1]
		}
		rest, column, ok := cutNumber(line)
		if !ok {
			continue
		}
		url, row, ok := cutNumber(rest)
		if !ok {
			continue
		}
		f.URL, f.Line, f.Column = strings.TrimPrefix(url, "async "), row, column
		list = append(list, f)
	}
	return list
}

// cutNumber takes :N off the end.
func cutNumber(text string) (rest string, number int, ok bool) {
	at := strings.LastIndexByte(text, ':')
	if at < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(text[at+1:])
	return text[:at], number, err == nil
}
