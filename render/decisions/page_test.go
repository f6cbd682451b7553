package decisions_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/render/decisions"
)

var update = flag.Bool("update", false, "write the golden files")

// project is a repository with the plugin over it.
type project struct {
	*enginetest.Repository
	t *testing.T
}

func newProject(t *testing.T, files map[string]string) project {
	t.Helper()
	p := project{enginetest.NewRepository(t.TempDir(), files), t}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// run brings the project up to date.
func (p project) run() *engine.Report {
	p.t.Helper()
	own := p.Files()
	c, err := p.Open(own)
	if err != nil {
		p.t.Fatal(err)
	}
	over(p.Repository, own, &c)
	r, err := engine.New(c).Update(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

func (p project) page() string {
	text, _ := p.Read(decisions.Page(p.Layout))
	return text
}

func TestPage(t *testing.T) {
	t.Parallel()
	p := newProject(t, files(pricing(t)...))
	p.run()
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
}

// TestKeptText: what people wrote on the page stays, also where the log is gone.
func TestKeptText(t *testing.T) {
	t.Parallel()
	log := pricing(t)
	p := newProject(t, files(log[0]))
	p.run()
	const kept = "<!-- causal:keep note -->\nAsk Grace.\n<!-- /causal:keep -->\n"
	name := decisions.Page(p.Layout)
	p.Write(name, p.page()+"\n"+kept)
	p.Write(log[1].Path, string(log[1].Data))
	p.run()
	if text := p.page(); !strings.Contains(text, kept) || !strings.Contains(text, "Procurement") {
		t.Errorf("the page is\n%s", text)
	}
	p.Remove(log[0].Path)
	p.Remove(log[1].Path)
	if r := p.run(); !strings.Contains(p.page(), kept) {
		t.Errorf("what somebody wrote is gone: %+v", r)
	}
}

// TestRemoved: without a log there is no page.
func TestRemoved(t *testing.T) {
	t.Parallel()
	log := pricing(t)
	p := newProject(t, files(log[0]))
	p.run()
	p.Remove(log[0].Path)
	p.run()
	if text := p.page(); text != "" {
		t.Errorf("there still is a page:\n%s", text)
	}
}

// TestNothingSaid: where things only happened there is no page.
func TestNothingSaid(t *testing.T) {
	t.Parallel()
	p := newProject(t, files(happened(t, nil)))
	p.run()
	if text := p.page(); text != "" {
		t.Errorf("there is a page:\n%s", text)
	}
}

// TestTampered: a log that is not what was recorded is said to be none, and what is left of it is told.
func TestTampered(t *testing.T) {
	t.Parallel()
	log := pricing(t)
	p := newProject(t, files(log[:3]...))
	p.Write(log[1].Path, strings.Replace(string(log[1].Data), "Procurement", "Zebras", 1))
	p.run()
	text := p.page()
	if !strings.Contains(text, "> **The log is not what was recorded,**") || strings.Contains(text, "Zebras") || !strings.Contains(text, "Two tracks") {
		t.Errorf("the page is\n%s", text)
	}
}
