package layout

// popups are the elements that are open over the page now.
func (s *Snapshot) popups() []int {
	if s.open == nil {
		s.open = []int{}
		for at := range s.Elements {
			if s.when(at) == Shown && s.popup(at) != "" {
				s.open = append(s.open, at)
			}
		}
	}
	return s.open
}

// popup says what an element is that opens over the page for a while; empty for others.
func (s *Snapshot) popup(i int) string {
	e := s.Of(i)
	if e.Is(TopLayer) {
		return "an open dialog or popover is in front of it"
	}
	switch role := e.Role; {
	case role == "dialog" || role == "alertdialog" || e.Attr("aria-modal") == "true" || e.Tag == "dialog":
		return "an open dialog is in front of it"
	case role == "menu" || role == "listbox" || role == "tooltip" || e.Attr("role") == "menu" || e.Attr("role") == "listbox" || e.Attr("role") == "tooltip":
		return "an open menu or tooltip is in front of it"
	}
	if position := s.Style(i, "position"); position != "absolute" && position != "fixed" || s.fillsViewport(i) && len(s.Children(i)) == 0 {
		return ""
	}
	if e.Is(Opened) || s.openedBeside(i) {
		return "what is open in front of it"
	}
	if containsAny(s.names(i), "modal", "dialog", "popup", "popover", "lightbox", "dropdown", "tooltip", "drawer", "toast", "flyout", "autocomplete", "typeahead", "suggestions", "context-menu", "datepicker") {
		return "what is open in front of it"
	}
	return ""
}

// openedBeside reports a control beside an element, in what they share, that says something is open.
func (s *Snapshot) openedBeside(i int) bool {
	for _, at := range s.Children(s.Of(i).Parent) {
		if at != i && s.Of(at).Attr("aria-expanded") == "true" {
			return true
		}
	}
	return false
}

func (s *Snapshot) fillsViewport(i int) bool {
	v := s.ViewportRect()
	return s.Of(i).Rect().Intersect(v).Area() >= wholeCover*v.Area()
}

// behindDialog is the purpose of a cover of which nothing is seen at the point: the
// backdrop of a dialog, or the layer in which one stands.
func (s *Snapshot) behindDialog(i int, k *cover) string {
	for at := k.hit; at >= 0 && !s.Within(i, at); at = s.Of(at).Parent {
		purpose, e := s.popup(at), s.Of(at)
		switch {
		case e.Is(TopLayer):
			return purpose
		case purpose != "" && (s.hasContent(at) || s.Target == i && (e.Role == "dialog" || e.Attr("aria-modal") == "true")):
			return purpose
		}
	}
	return ""
}

// loading reports a veil over a part of the page that is not there yet.
func (s *Snapshot) loading(i int, k *cover) bool {
	for at := s.common(i, k.hit); at >= 0; at = s.Of(at).Parent {
		if s.Of(at).Attr("aria-busy") == "true" {
			return true
		}
	}
	for at := k.hit; at >= 0 && !s.Within(i, at); at = s.Of(at).Parent {
		if e := s.Of(at); e.Role == "progressbar" || containsAny(s.names(at), "loading", "loader", "spinner", "skeleton") {
			return true
		}
	}
	return false
}

// popupAround is the outermost popup that an element is in, or None.
func (s *Snapshot) popupAround(i int) int {
	found := None
	for at := i; at >= 0; at = s.Of(at).Parent {
		if s.popup(at) != "" {
			found = at
		}
	}
	return found
}
