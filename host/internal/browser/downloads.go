package browser

import (
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Events download.started, download.progress and download.done
// {tabId?, guid, url, suggestedFilename, path, state, bytes, totalBytes}: path is where
// the file lies (under its guid while Downloads is set), state is in_progress,
// completed or canceled.
type download struct {
	TabID     int    `json:"tabId,omitzero"`
	GUID      string `json:"guid"`
	URL       string `json:"url"`
	Suggested string `json:"suggestedFilename"`
	Path      string `json:"path,omitzero"`
	State     string `json:"state"`
	Bytes     int64  `json:"bytes"`
	Total     int64  `json:"totalBytes"`
}

// downloadStates maps the browser's words.
var downloadStates = map[string]string{"inProgress": "in_progress", "completed": "completed", "canceled": "canceled"}

func (d *Direct) setDownloads() {
	params := map[string]any{"behavior": "default", "eventsEnabled": true}
	if d.o.Downloads != "" {
		// Under their guids: a name that the page chose is never a path of ours.
		params["behavior"], params["downloadPath"] = "allowAndName", d.o.Downloads
	}
	d.root.Start("Browser.setDownloadBehavior", params)
}

func onDownloadBegin(d *Direct, _ *target, params jsontext.Value) {
	var event struct {
		FrameID   string `json:"frameId"`
		GUID      string `json:"guid"`
		URL       string `json:"url"`
		Suggested string `json:"suggestedFilename"`
	}
	if !d.read(params, &event) {
		return
	}
	begun := &download{GUID: event.GUID, URL: event.URL, Suggested: event.Suggested, State: "in_progress"}
	for _, t := range d.tabs {
		if t.frames[event.FrameID] != nil {
			begun.TabID = t.id
		}
	}
	if d.o.Downloads != "" && !strings.ContainsAny(event.GUID, `/\`) {
		begun.Path = filepath.Join(d.o.Downloads, event.GUID)
	}
	d.downloads[event.GUID] = begun
	d.emit("download.started", begun)
}

func onDownloadProgress(d *Direct, _ *target, params jsontext.Value) {
	var event struct {
		GUID     string  `json:"guid"`
		Total    float64 `json:"totalBytes"`
		Received float64 `json:"receivedBytes"`
		State    string  `json:"state"`
		FilePath string  `json:"filePath"`
	}
	if !d.read(params, &event) {
		return
	}
	running := d.downloads[event.GUID]
	if running == nil {
		return
	}
	running.Bytes, running.Total = int64(event.Received), int64(event.Total)
	running.State = downloadStates[event.State]
	if event.FilePath != "" && running.Path == "" {
		running.Path = event.FilePath
	}
	if event.State == "inProgress" {
		d.emit("download.progress", running)
		return
	}
	delete(d.downloads, event.GUID)
	d.emit("download.done", running)
}
