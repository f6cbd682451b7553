package action

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/github"
)

// TestNothingCanBecomeACommand: whatever a repository calls its files, the runner reads one annotation.
func TestNothingCanBecomeACommand(t *testing.T) {
	t.Parallel()
	got := annotate(github.Annotation{Path: "a,b:c%", Line: 3, Level: "warning", Title: "t", Message: "50%\r\n::set-output name=x::y"})
	want := "::warning title=t,file=a%2Cb%3Ac%25,line=3::50%25%0A::set-output name=x::y"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := annotate(github.Annotation{Path: "a\n::error::x", Level: "warning", Title: "t", Message: "m"}); got != "::warning title=t::m" {
		t.Errorf("%q is beside a file that the runner cannot know", got)
	}
}

func TestAnnotationsAreBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    int
		last string
	}{{0, ""}, {10, "here"}, {11, "and 2 more: see the summary of this run"}, {500, "and 491 more: see the summary of this run"}} {
		got := bounded(make([]github.Annotation, c.n))
		for i := range got {
			if got[i].Message == "" {
				got[i].Message = "here"
			}
		}
		if len(got) != min(c.n, 10) || c.n > 0 && got[len(got)-1].Message != c.last {
			t.Errorf("of %d are left %+v", c.n, got)
		}
	}
}

func TestSummaryKeepsToItsLimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out bytes.Buffer
	j := &job{world: World{Out: &out}, temp: dir, summary: filepath.Join(dir, "summary"), outputs: filepath.Join(dir, "outputs")}
	r := Result{Title: "much", Notes: []string{"<b>@octo</b>"}, parts: []string{"### causal · much", strings.Repeat("x", 2<<20), "after"}}
	if err := j.tell(r); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(j.summary)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if len(text) >= 1<<20 || !strings.Contains(text, "Shortened") || !strings.Contains(text, "after") {
		t.Errorf("%d bytes: %.200s", len(text), text)
	}
	if strings.Contains(text, "<b>") || !strings.Contains(out.String(), "::notice title=causal::<b>@octo</b>\n") {
		t.Errorf("the note is %q in the summary and %q in the log", text[len(text)-60:], out.String())
	}
}
