package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// What an agent reads of its actions: success and fault of every element, input and dialog command.
func TestActions(t *testing.T) {
	s := see(t)
	s.show(`<link rel=icon href=data:,><form onsubmit="return false"><label>First <input id=f1></label><input id=d type=date aria-label=When>
		<input id=r type=range min=0 max=100 aria-label=Range><input id=c type=color aria-label=Colour><input type=number id=n aria-label=Number>
		<label><input type=checkbox id=terms>I accept</label><label><input type=radio name=x id=ra checked>A</label><label><input type=radio name=x id=rb>B</label>
		<select id=s aria-label=Country><option value=fr>France<option value=es>Spain</select><select multiple id=m aria-label=Toppings><option>cheese<option>olives</select>
		<textarea id=t aria-label=Note></textarea><div contenteditable id=e role=textbox aria-label=Editor style="min-height:20px">x</div>
		<input id=ctl aria-label=Stubborn value=abc oninput="this.value='abc'"><input id=phone aria-label=Phone oninput="this.value='('+this.value.replace(/\D/g,'')+')'">
		<div role=switch aria-checked=false tabindex=0 id=sw onclick="this.setAttribute('aria-checked',this.getAttribute('aria-checked')!=='true')">Switch</div>
		<button id=save type=button onclick="document.title='saved'">Save order</button><button type=button>Twin</button><button type=button>Twin</button>
		<button type=button onclick="document.title=confirm('Sure?')">Delete</button><button type=button onclick="document.title=prompt('Name?','Bob')">Ask</button>
		<input type=file id=up style="display:none" multiple><button type=button onclick="up.click()">Attach</button><input type=file id=one aria-label=One></form>
		<div id=list style="height:80px;overflow:auto"><div style="height:900px">long</div></div><div style="height:2000px"></div><p id=end>end</p>`)
	fill := func(target, value string) map[string]any { return map[string]any{"target": target, "value": value} }
	on := func(target string) map[string]any { return map[string]any{"target": target} }
	value := func(script string) any {
		t.Helper()
		out, _ := s.must("runtime.eval", map[string]any{"expression": script})
		return out["value"]
	}
	says := func(name string, params map[string]any, want ...string) {
		t.Helper()
		_, text := s.must(name, params)
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s %v: %q, want %q in it", name, params, text, part)
			}
		}
		if len(text) > 300 || strings.Count(text, "\n") > 2 {
			t.Errorf("%s %v: too long: %q", name, params, text)
		}
	}

	t.Run("click", func(t *testing.T) {
		says("element.click", on(`button "Save order"`), `clicked button "Save order" e`, "changed")
		if f := s.refused("element.click", on(`button "Save ordr"`), fault.ElementNotFound); !strings.Contains(f.Message, `button "Save order"`) {
			t.Error(f.Message)
		}
		if f := s.refused("element.click", on("Twin"), fault.TargetAmbiguous); len(f.Suggestions) < 2 || !strings.HasPrefix(f.Suggestions[0], "dbridge element click e") {
			t.Error(f.Suggestions)
		}
		s.refused("element.click", map[string]any{"target": "#save", "button": "side"}, fault.ValidationError)
		s.must("element.click", map[string]any{"target": "#save", "x": 3, "y": 3, "count": 2})
		s.must("element.hover", on("#save"))
		says("element.focus", on("#f1"), `focus on textbox "First"`)
		s.refused("element.focus", on("#end"), fault.TargetNotInteractable)
	})
	t.Run("fill", func(t *testing.T) {
		for _, c := range []struct{ target, value, script, held string }{
			{"#f1", "Ada Ünï 😀", "f1.value", "Ada Ünï 😀"}, {"#d", "2026-12-24", "d.value", "2026-12-24"}, {"#r", "70", "r.value", "70"},
			{"#c", "#ff0000", "c.value", "#ff0000"}, {"#n", "-12.5", "n.value", "-12.5"}, {"#terms", "true", "String(terms.checked)", "true"},
			{"#rb", "true", "String(rb.checked)", "true"}, {`combobox "Country"`, "Spain", "s.value", "es"}, {"#t", "two\nlines", "t.value", "two\nlines"},
			{"#e", "héllo", "e.textContent", "héllo"}, {"#phone", "5551", "phone.value", "(5551)"}, {"#sw", "true", "sw.ariaChecked", "true"}, {"#f1", "", "f1.value", ""},
		} {
			s.must("element.fill", fill(c.target, c.value))
			if held := value(c.script); held != c.held {
				t.Errorf("%s holds %q, want %q", c.target, held, c.held)
			}
		}
		says("element.fill", fill("#phone", "77"), `holds "(77)"`)
		says("element.fill", fill("#terms", "true"), "noop")
		for _, c := range []struct {
			target, value string
			code          fault.Code
		}{{"#ctl", "xyz", fault.ActionNoEffect}, {"#n", "abc", fault.ActionNoEffect}, {"#d", "tomorrow", fault.ValidationError},
			{"#s", "Peru", fault.ElementNotFound}, {"#rb", "false", fault.ValidationError}, {"#save", "x", fault.TargetNotInteractable}} {
			s.refused("element.fill", fill(c.target, c.value), c.code)
		}
		says("element.fill-form", map[string]any{"values": map[string]any{"#f1": "Bob", "#terms": false, "#n": 3}}, "filled 3 fields", "changed")
		if got := value("f1.value+terms.checked+n.value"); got != "Bobfalse3" {
			t.Errorf("the form holds %v", got)
		}
		f := s.refused("element.fill-form", map[string]any{"values": []any{fill("#f1", "Cy"), fill("#ctl", "no"), fill("#n", "4")}}, fault.ActionNoEffect)
		if f.Details["filled"] != 1 || value("f1.value+n.value") != "Cy3" {
			t.Errorf("%v", f.Details)
		}
		says("element.select", map[string]any{"target": "#m", "values": []string{"cheese", "olives"}}, "chosen: cheese, olives")
		s.refused("element.select", map[string]any{"target": "#s", "values": []string{"fr", "es"}}, fault.ValidationError)
	})
	t.Run("upload", func(t *testing.T) {
		for name, text := range map[string]string{"empty file.txt": "", "עברית.txt": "x", "three.txt": "abc"} {
			if err := os.WriteFile(filepath.Join(s.caller.Cwd, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		says("element.upload", map[string]any{"target": "#up", "files": []string{"empty file.txt", "עברית.txt"}}, "empty file.txt, עברית.txt")
		if got := value("[...up.files].map(f=>f.name+f.size).join()"); got != "empty file.txt0,עברית.txt1" {
			t.Errorf("%v", got)
		}
		says("element.upload", map[string]any{"target": `button "Attach"`, "files": []string{"three.txt"}}, "three.txt")
		if got := value("[...up.files].map(f=>f.name+f.size).join()"); got != "three.txt3" {
			t.Errorf("%v", got)
		}
		s.refused("element.upload", map[string]any{"target": "#one", "files": []string{"three.txt", "empty file.txt"}}, fault.ValidationError)
		s.refused("element.upload", map[string]any{"target": "#up", "files": []string{"none.txt"}}, fault.FileAccessFailed)
		s.refused("element.upload", map[string]any{"target": "#up", "files": []string{"."}}, fault.FileAccessFailed)
		s.refused("element.upload", map[string]any{"target": "#save", "files": []string{"three.txt"}}, fault.ActionNoEffect)
	})
	t.Run("dialogs", func(t *testing.T) {
		says("element.click", on("Delete"), `confirm "Sure?" waits: dbridge dialog handle`)
		says("dialog.status", nil, `confirm "Sure?" is open`)
		s.refused("element.click", on("#save"), fault.DialogBlocking)
		s.refused("dialog.handle", nil, fault.ValidationError)
		says("dialog.handle", map[string]any{"accept": true}, `accepted confirm "Sure?"`)
		s.must("element.click", on("Ask"))
		s.must("dialog.handle", map[string]any{"accept": true})
		if got := value("document.title"); got != "Bob" {
			t.Errorf("the prompt gave %v", got)
		}
		s.must("element.click", on("Ask"))
		s.must("dialog.handle", map[string]any{"accept": true, "text": "Zoë"})
		if got := value("document.title"); got != "Zoë" {
			t.Errorf("the prompt gave %v", got)
		}
		s.refused("dialog.handle", map[string]any{"dismiss": true}, fault.DialogNotOpen)
		says("dialog.status", nil, "no dialog")
	})
	t.Run("input", func(t *testing.T) {
		s.must("element.fill", fill("#f1", ""))
		says("input.type", map[string]any{"text": "Héllo, World 😀", "submitKey": "Tab"}, `typed into textbox "First"`, `focus on textbox "When"`)
		if got := value("f1.value"); got != "Héllo, World 😀" {
			t.Errorf("typed %q", got)
		}
		s.must("element.focus", on("#f1"))
		s.must("input.key", map[string]any{"key": "ControlOrMeta+A"})
		s.must("input.key", map[string]any{"key": "Backspace"})
		s.must("input.key", map[string]any{"key": "x", "repeat": 3})
		if got := value("f1.value"); got != "xxx" {
			t.Errorf("keys gave %q", got)
		}
		s.refused("input.key", map[string]any{"key": "Nope"}, fault.ValidationError)
		s.must("element.scroll", map[string]any{"to": "top"})
		if _, err := os.Stat(s.caller.Cwd); err != nil {
			t.Fatal(err)
		}
		box, _ := value("(b=>[b.x+5,b.y+5])(save.getBoundingClientRect())").([]any)
		s.must("runtime.eval", map[string]any{"expression": "document.title='';window.log=[];for(const k of ['mousedown','mouseup'])addEventListener(k,e=>log.push(k+e.button+e.buttons+e.target.id));0"})
		says("input.click", map[string]any{"x": box[0], "y": box[1]}, `clicked button "Save order"`)
		s.must("input.mouse-move", map[string]any{"x": box[0], "y": box[1], "steps": 3})
		s.must("input.mouse-down", map[string]any{"button": "right"})
		s.must("input.mouse-up", map[string]any{"button": "right"})
		if got := value("document.title+log.join()"); got != "savedmousedown01save,mouseup00save,mousedown22save,mouseup20save" {
			t.Errorf("%v", got)
		}
		s.must("input.drag", map[string]any{"fromX": box[0], "fromY": box[1], "toX": 400, "toY": 300})
		says("element.scroll", map[string]any{"target": "#list", "y": 100}, "at y 100 of")
		says("element.scroll", on("#end"), "changed")
		if got := value("end.getBoundingClientRect().bottom<=innerHeight"); got != true {
			t.Error("not in view")
		}
		s.refused("element.scroll", nil, fault.ValidationError)
		s.must("input.scroll", map[string]any{"dy": -300})
		s.refused("input.scroll", nil, fault.ValidationError)
		s.must("element.highlight", on("#save"))
		s.must("element.highlight", map[string]any{"off": true})
		s.refused("element.highlight", nil, fault.ValidationError)
	})
}
