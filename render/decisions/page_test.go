package decisions_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/render/decisions"
)

var update = flag.Bool("update", false, "write the golden files")

// project is a repository with the plugin.
type project struct {
	*enginetest.Project
	t *testing.T
}

func newProject(t *testing.T, files map[string]string) project {
	t.Helper()
	return project{enginetest.NewProject(t, files, over), t}
}

func (p project) page() string {
	return p.pageOf(decisions.Kind)
}

func (p project) pageOf(kind string) string {
	text, _ := p.Read(decisions.Pages(p.Layout)[kind])
	return text
}

func TestPage(t *testing.T) {
	t.Parallel()
	p := newProject(t, files(pricing(t)...))
	p.Update()
	golden := filepath.Join("testdata", "decisions.md")
	if *update {
		if err := os.WriteFile(golden, []byte(p.page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if p.page() != string(want) {
		t.Errorf("the page is\n%s\nwant %s", p.page(), golden)
	}
	if text := p.pageOf(decisions.LogKind); text != "" {
		t.Errorf("there is a page of what happened:\n%s", text)
	}
}

// TestLogPage checks that the causes of an effect are shown with it, newest first, and that events without an effect are omitted.
func TestLogPage(t *testing.T) {
	t.Parallel()
	var log []ledger.Batch
	add := func(units ...string) { log = append(log, happened(t, log, units...)) }
	add("module/cart")
	add()
	add("module/cart", "module/tax")
	many := make([]string, 60)
	for i := range many {
		many[i] = fmt.Sprintf("module/m%02d", i)
	}
	add(many...)
	p := newProject(t, files(log...))
	p.Update()
	text := p.pageOf(decisions.LogKind)
	for _, want := range []string{
		"# Log\n", "## 2026-03\n\n- **Pushed &lt;b>60&lt;/b>** (Ada, 2026-03-04)\n  - module/m00 is another\n", "  - module/m49 is another\n  - and 10 more\n- **Pushed",
		"**Pushed &lt;b>2&lt;/b>** (Ada, 2026-03-04)\n  - module/cart is another\n  - module/tax is another\n- **Pushed &lt;b>1&lt;/b>**",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page\n%s", want, text)
		}
	}
	if strings.Contains(text, ">0&lt;") || p.page() != "" {
		t.Errorf("what led to nothing is told:\n%s", text)
	}
	if r := p.Update(); len(r.Ran) > 0 {
		t.Errorf("nothing was new, and %v was done", r.Ran)
	}
}

// TestLogPageIsBounded checks that the page shows a bounded number of the newest events.
func TestLogPageIsBounded(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	for i := range 120 {
		push, err := log.Add(ledger.Event{Type: ledger.Happening, Text: fmt.Sprintf("Pushed number %d", i)})
		if err == nil {
			_, err = log.Add(ledger.Event{Type: ledger.Happening, Text: "It is another", About: "module/a", Cause: push.ID, Relationship: "so"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p := newProject(t, files(log.Added()...))
	p.Update()
	text := p.pageOf(decisions.LogKind)
	if !strings.Contains(text, "number 119**") || !strings.Contains(text, "number 20**") || strings.Contains(text, "number 19**") || !strings.Contains(text, "Older events are omitted.") {
		t.Errorf("the page is\n%s", text)
	}
}

// TestLongSubjects: where a text is cut, the word before it is not another, and no link is made of it.
func TestLongSubjects(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	push, err := log.Add(ledger.Event{Type: ledger.Happening, Text: "Pushed " + strings.Repeat("x", 144) + " (#12)" + strings.Repeat(" and more", 9)})
	if err == nil {
		_, err = log.Add(ledger.Event{Type: ledger.Happening, Text: "It is another", About: "module/a", Cause: push.ID, Relationship: "so"})
	}
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(t, files(log.Added()...))
	p.Update()
	if text := p.pageOf(decisions.LogKind); !strings.Contains(text, "x (`#12`)…**") {
		t.Errorf("the page is\n%s", text)
	}
}

// TestKeptText checks that keep blocks stay, even without a log.
func TestKeptText(t *testing.T) {
	t.Parallel()
	log := pricing(t)
	p := newProject(t, files(log[0]))
	p.Update()
	const kept = "<!-- causal:keep note -->\nAsk Grace.\n<!-- /causal:keep -->\n"
	name := decisions.Pages(p.Layout)[decisions.Kind]
	p.Write(name, p.page()+"\n"+kept)
	p.Write(log[1].Path, string(log[1].Data))
	p.Update()
	if text := p.page(); !strings.Contains(text, kept) || !strings.Contains(text, "Procurement") {
		t.Errorf("the page is\n%s", text)
	}
	p.Remove(log[0].Path)
	p.Remove(log[1].Path)
	if r := p.Update(); !strings.Contains(p.page(), kept) {
		t.Errorf("what somebody wrote is gone: %+v", r)
	}
}

// TestRemoved: without a log there is no page.
func TestRemoved(t *testing.T) {
	t.Parallel()
	log := pricing(t)
	p := newProject(t, files(log[0]))
	p.Update()
	p.Remove(log[0].Path)
	p.Update()
	if text := p.page(); text != "" {
		t.Errorf("there still is a page:\n%s", text)
	}
}

// TestNothingSaid: where things only happened there is no page.
func TestNothingSaid(t *testing.T) {
	t.Parallel()
	p := newProject(t, files(happened(t, nil, "")))
	p.Update()
	if text := p.page(); text != "" {
		t.Errorf("there is a page:\n%s", text)
	}
}

// TestTampered checks that a manipulated log is reported on the page, with its remaining events.
func TestTampered(t *testing.T) {
	t.Parallel()
	log := pricing(t)
	p := newProject(t, files(log[:3]...))
	p.Write(log[1].Path, strings.Replace(string(log[1].Data), "Procurement", "Zebras", 1))
	p.Update()
	text := p.page()
	if !strings.Contains(text, "> **The log was changed after it was recorded,**") || strings.Contains(text, "Zebras") || !strings.Contains(text, "Two tracks") {
		t.Errorf("the page is\n%s", text)
	}
}
