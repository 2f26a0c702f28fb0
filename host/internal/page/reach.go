package page

import "strings"

// Reach gives the addresses of the frames in which a command may find its element: of the
// frame that is named or that the ref is of, else of all. A frame without an address of its
// own (about:blank, srcdoc) has that of the frame around it.
func (t *Tab) Reach(frameID, ref string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	for _, f := range t.ordered() {
		if frameID != "" && f.short != frameID {
			continue
		}
		if frameID == "" && ref != "" {
			if match := wireRef.FindStringSubmatch(ref); match != nil && match[1] != f.prefix() {
				continue
			}
		}
		list = append(list, t.addressOf(f))
	}
	return list
}

func (t *Tab) addressOf(f *frame) string {
	for f != nil && f.id != 0 {
		if strings.HasPrefix(f.url, "http:") || strings.HasPrefix(f.url, "https:") {
			return f.url
		}
		f = t.frames[f.parent]
	}
	return t.info.URL
}
