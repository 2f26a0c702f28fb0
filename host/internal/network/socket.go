package network

import (
	"encoding/base64"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// WebSockets and event streams: one entry each, with their latest messages.

func itoa(n int) string { return strconv.Itoa(n) }

func (s *Store) onSocket(session string, params jsontext.Value) {
	var event struct {
		RequestID string         `json:"requestId"`
		URL       string         `json:"url"`
		Initiator jsontext.Value `json:"initiator"`
	}
	if decode(params, &event) != nil {
		return
	}
	s.add(&entry{
		session: session, requestID: event.RequestID, kind: "websocket", method: "GET", url: shortURL(event.URL), state: Pending,
		initiator: keep(event.Initiator, maxInitiator),
	})
}

func (s *Store) onHandshake(session string, params jsontext.Value) {
	var event struct {
		RequestID string      `json:"requestId"`
		Timestamp float64     `json:"timestamp"`
		WallTime  float64     `json:"wallTime"`
		Request   wireRequest `json:"request"`
	}
	if decode(params, &event) != nil {
		return
	}
	if e := s.byID[requestKey{session, event.RequestID}]; e != nil {
		size := e.size()
		e.started, e.wall, e.requestHeaders = event.Timestamp, event.WallTime, keep(event.Request.Headers, maxHeaders)
		s.grow(e, size)
	}
}

func (s *Store) onHandshakeAnswer(session string, params jsontext.Value) {
	var event struct {
		RequestID string       `json:"requestId"`
		Timestamp float64      `json:"timestamp"`
		Response  wireResponse `json:"response"`
	}
	if decode(params, &event) != nil {
		return
	}
	if e := s.byID[requestKey{session, event.RequestID}]; e != nil {
		size := e.size()
		e.answer(&event.Response, event.Timestamp)
		s.grow(e, size)
	}
}

func socketFrame(kind string) func(*Store, string, jsontext.Value) {
	return func(s *Store, session string, params jsontext.Value) {
		var event struct {
			RequestID string  `json:"requestId"`
			Timestamp float64 `json:"timestamp"`
			Response  struct {
				Opcode      int    `json:"opcode"`
				PayloadData string `json:"payloadData"`
			} `json:"response"`
		}
		if decode(params, &event) != nil {
			return
		}
		f := frame{at: event.Timestamp, kind: kind, text: event.Response.PayloadData, full: len(event.Response.PayloadData)}
		if event.Response.Opcode == 2 { // RFC 6455 5.2: binary; CDP gives it as base64
			f.bin, f.full = true, base64.StdEncoding.DecodedLen(f.full)
		}
		s.addFrame(session, event.RequestID, f)
	}
}

func (s *Store) addFrame(session, requestID string, f frame) {
	e := s.byID[requestKey{session, requestID}]
	if e == nil {
		return
	}
	size := e.size()
	e.framesTotal++
	f.n, f.text = e.framesTotal, cut(f.text, maxFrameText)
	e.frames = append(e.frames, f)
	e.frameBytes += len(f.text) + 64
	for len(e.frames) > maxFrames || e.frameBytes > maxFrameAll && len(e.frames) > 1 {
		e.frameBytes -= len(e.frames[0].text) + 64
		e.frames = e.frames[1:]
		e.framesDropped++
	}
	s.grow(e, size)
}

func (s *Store) onSocketError(session string, params jsontext.Value) {
	var event struct {
		RequestID    string  `json:"requestId"`
		Timestamp    float64 `json:"timestamp"`
		ErrorMessage string  `json:"errorMessage"`
	}
	if decode(params, &event) != nil {
		return
	}
	s.addFrame(session, event.RequestID, frame{at: event.Timestamp, kind: "error", text: event.ErrorMessage, full: len(event.ErrorMessage)})
	if e := s.byID[requestKey{session, event.RequestID}]; e != nil {
		e.failure = event.ErrorMessage
	}
}

func (s *Store) onSocketClosed(session string, params jsontext.Value) {
	e, at := s.find(session, params)
	if e == nil {
		return
	}
	e.ended, e.state = at, Finished
	if e.failure != "" {
		e.state = Failed
	}
}

func (s *Store) onServerEvent(session string, params jsontext.Value) {
	var event struct {
		RequestID string  `json:"requestId"`
		Timestamp float64 `json:"timestamp"`
		EventName string  `json:"eventName"`
		Data      string  `json:"data"`
	}
	if decode(params, &event) != nil {
		return
	}
	s.addFrame(session, event.RequestID, frame{at: event.Timestamp, kind: event.EventName, text: event.Data, full: len(event.Data)})
}
