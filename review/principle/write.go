package principle

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
)

const header = "# Promoted by causal from recurring review findings. Edit rule, why and status as you like, and delete check\n" +
	"# to stop checking code. status: demoted or declined ends it for good.\n"

var order = []string{"principle", "rule", "why", "check", "evidence", "authors", "dismissed", "status", "invalidation_condition"}

func (p *Principle) sections() map[string]string {
	text := func(write func(w *canonical.Writer)) string {
		var w canonical.Writer
		write(&w)
		return string(w.Bytes())
	}
	keep := func(key, value string) string { return text(func(w *canonical.Writer) { w.Keep(0, key, value) }) }
	s := map[string]string{
		"principle": keep("principle", p.Slug), "rule": keep("rule", p.Rule), "why": keep("why", p.Why), "status": keep("status", string(p.Status)),
		"invalidation_condition": keep("invalidation_condition", p.Condition),
		"authors":                "authors: " + strconv.Itoa(p.Authors) + "\n",
		"dismissed":              "dismissed: " + strconv.Itoa(p.Dismissed) + "\n",
		"evidence": text(func(w *canonical.Writer) {
			w.Head(0, "evidence", len(p.Evidence))
			for _, e := range p.Evidence {
				w.Raw(e.line())
			}
		}),
	}
	if c := p.Check; c != nil {
		s["check"] = text(func(w *canonical.Writer) {
			w.Raw("check:\n")
			w.Keep(2, "pattern", c.Pattern)
			w.Keep(2, "severity", string(c.Severity))
			w.Text(2, "language", c.Language)
			w.Text(2, "shape", c.Shape)
		})
	}
	return s
}

// line formats an entry as one line, because lines of two branches merge well.
func (e Evidence) line() string {
	fields := []string{"key: " + canonical.Scalar(e.Key), "finding: " + canonical.Scalar(e.Finding)}
	if e.FixedBy != "" {
		fields = append(fields, "fixed_by: "+canonical.Scalar(e.FixedBy))
	}
	return "  - {" + strings.Join(append(fields, "at: "+canonical.Scalar(e.At)), ", ") + "}\n"
}

func (p *Principle) encode() []byte {
	var b strings.Builder
	b.WriteString(header)
	sections := p.sections()
	for _, key := range order {
		b.WriteString(sections[key])
	}
	return []byte(b.String())
}

// edit replaces only the derived keys that differ in the text of the file.
func (f *file) edit(now *Principle) []byte {
	var differ []string
	for _, key := range []struct {
		name     string
		was, now any
	}{
		{"check", f.Check, now.Check},
		{"evidence", f.Evidence, now.Evidence},
		{"authors", f.Authors, now.Authors},
		{"dismissed", f.Dismissed, now.Dismissed},
		{"status", f.Status, now.Status},
		{"invalidation_condition", f.Condition, now.Condition},
	} {
		if !reflect.DeepEqual(key.was, key.now) {
			differ = append(differ, key.name)
		}
	}
	lines, sections := strings.SplitAfter(f.text, "\n"), now.sections()
	for _, key := range differ {
		found := false
		for _, s := range f.keys {
			if s.key == key {
				clear(lines[s.first:s.end])
				lines[s.first], found = sections[key], true
			}
		}
		if !found {
			if last := len(lines) - 1; lines[last] != "" {
				lines[last] += "\n"
			}
			lines = append(lines, sections[key])
		}
	}
	return []byte(strings.Join(lines, ""))
}

// End returns the text of a principle with the status demoted or declined.
func End(name string, data []byte, as Status) ([]byte, error) {
	if !as.closed() {
		return nil, fmt.Errorf("%s: status %q does not end a principle", name, as)
	}
	f, err := read(name, data)
	if err != nil {
		return nil, err
	}
	return f.as(as), nil
}

func (f *file) as(status Status) []byte {
	now := f.Principle
	now.Status = status
	return f.edit(&now)
}
