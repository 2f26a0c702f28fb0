package cli

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// skillBudget is what an agent may pay for reading the skill, in tokens of o200k.
const skillBudget = 2000

func printedSkill(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(binary, "skill").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The form that agents' clients ask for: https://agentskills.io/specification
func TestSkillForm(t *testing.T) {
	text := printedSkill(t)
	head, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(text, "---\n") {
		t.Fatalf("no front matter:\n%s", text)
	}
	fields := map[string]string{}
	for _, line := range strings.Split(head, "\n") {
		name, value, _ := strings.Cut(line, ": ")
		fields[strings.TrimSuffix(name, ":")] = value
	}
	description, compatibility := fields["description"], fields["compatibility"]
	// A plain YAML scalar ends at a comment and at another colon.
	if fields["name"] != "debug-bridge" || description == "" || len(description) > 1024 || len(compatibility) > 500 || strings.ContainsAny(description, "<>#") || strings.Contains(description, ": ") {
		t.Errorf("%q", fields)
	}
	if _, ok := fields["metadata"]; !ok || !regexp.MustCompile(`^"\d+\.\d+\.\d+"$`).MatchString(fields["  version"]) || len(fields) != 6 {
		t.Errorf("metadata: %q", fields)
	}
	if blocks := shellBlocks(text); len(blocks) != 5 {
		t.Errorf("%d worked examples, want 5", len(blocks))
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	ids, _, err := codec.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tokens, %d bytes", len(ids), len(text))
	if len(ids) >= skillBudget {
		t.Errorf("%d tokens, %d are allowed", len(ids), skillBudget)
	}
	for _, word := range []string{"observe", "act", "check"} {
		if !strings.Contains(strings.ToLower(body), word) {
			t.Errorf("it does not speak of %s", word)
		}
	}
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

func shellBlocks(text string) (blocks [][]string) {
	for _, found := range shellBlock.FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, strings.Split(strings.TrimRight(found[1], "\n"), "\n"))
	}
	return blocks
}

// Every line of the worked examples runs, in their order, in a shell, and says what the
// text promises of it.
func TestSkillExamples(t *testing.T) {
	s := newScript(t)
	s.browser()
	says := map[string]string{
		"page wait-text Ada":                "Ada",
		"console list":                      `app\.js:\d+`,
		"network list":                      `500`,
		"network get":                       "out of order",
		"page wait-text \"Answered after\"": "Answered after",
		"layout diagnose":                   `(?i)clip|cut|overflow|off`,
		"layout styles":                     `34rem`,
		"capture screenshot":                `\.png|\.jpe?g|\.webp`,
	}
	for _, block := range shellBlocks(printedSkill(t)) {
		for _, line := range block {
			if problem := s.start("sh", strings.ReplaceAll(line, "http://localhost:3000", s.vars["URL"])); problem != "" || s.status != 0 {
				t.Fatalf("%s: exit %d %s\n%s%s", line, s.status, problem, s.stdout, s.stderr)
			}
			s.seen = true
			t.Logf("%s\n%s", line, s.stdout)
			for begin, want := range says {
				if strings.HasPrefix(line, "dbridge "+begin) {
					if !regexp.MustCompile(want).MatchString(s.stdout) {
						t.Errorf("%s: no %s in\n%s", line, want, s.stdout)
					}
					delete(says, begin)
				}
			}
		}
	}
	for begin := range says {
		t.Errorf("no example begins with %s", begin)
	}
}

// What the text names between its examples is there too: commands, their verbs, flags.
func TestSkillNamesCommands(t *testing.T) {
	text := shellBlock.ReplaceAllString(printedSkill(t), "")
	known := map[string]bool{}
	for _, c := range describeAll(t) {
		known[strings.Replace(c.Name, ".", " ", 1)] = true
	}
	resources := map[string]bool{}
	for name := range known {
		resource, _, _ := strings.Cut(name, " ")
		resources[resource] = true
	}
	count := 0
	for _, found := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(text, -1) {
		words := strings.Fields(strings.TrimPrefix(strings.ReplaceAll(found[1], `\|`, "|"), "dbridge "))
		if len(words) < 2 || !resources[words[0]] {
			continue
		}
		for verb := range strings.SplitSeq(words[1], "|") {
			if strings.HasSuffix(verb, "-…") {
				continue
			}
			count++
			if !known[words[0]+" "+verb] {
				t.Errorf("`%s` names no command", found[1])
			}
			for _, word := range words[2:] {
				if flag, ok := strings.CutPrefix(word, "--"); ok {
					if out, err := exec.Command(binary, words[0], verb, "--help").Output(); err != nil || !strings.Contains(string(out), "--"+flag) {
						t.Errorf("`%s`: %s %s has no --%s", found[1], words[0], verb, flag)
					}
				}
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d commands are named", count)
	}
}
