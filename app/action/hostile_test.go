package action

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/github"
)

// runnerTexts are texts that a GitHub runner would read as commands, or as more lines than one.
var runnerTexts = []string{
	"", "::error title=x::y", "::set-output name=x::y", "##[error]x", "##vso[task.setvariable]x", "a\n::warning::b", "a\r::warning::b", "a\r\n##[group]b",
	"%0A::error::x", "a%0Dchanged-count=9", "changed-count=9\nreport-path=/etc/passwd", "x<<EOF\ny\nEOF", "::add-mask::x", "::stop-commands::x",
	"\x1b[31mred\x1b[0m", "\u2028::error::x", "\u202eevil", "\x00", "@octocat", "<!-- causal:state x -->", "```\n::error::x\n```", strings.Repeat("::error::", 1000),
}

// TestRunnerGetsText: whatever texts are, the runner reads as many commands as there are annotations, and as many outputs as there
// are.
func TestRunnerGetsText(t *testing.T) {
	t.Parallel()
	for _, text := range runnerTexts {
		dir := t.TempDir()
		var out bytes.Buffer
		j := &job{world: World{Out: &out}, temp: dir, summary: filepath.Join(dir, "summary"), outputs: filepath.Join(dir, "outputs")}
		r := Result{
			Title: text, Notes: []string{text}, Commit: text,
			annotations: []github.Annotation{{Path: text, Line: 1, Level: "warning", Title: text, Message: text}},
		}
		if err := j.tell(r); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[0], "causal: ") || !strings.HasPrefix(lines[1], "::notice title=causal::") ||
			!strings.HasPrefix(lines[2], "::warning title=") || strings.Contains(out.String(), "##[") || strings.Contains(out.String(), "\r") {
			t.Errorf("%.40q: the runner reads\n%.500q", text, lines)
		}
		outputs, err := os.ReadFile(j.outputs)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for line := range strings.Lines(string(outputs)) {
			name, _, _ := strings.Cut(line, "=")
			names = append(names, name)
		}
		if got := strings.Join(names, " "); got != "changed-count stale-count commit-sha report-path finding-count sarif-file" {
			t.Errorf("%.40q: the outputs are %.500q", text, outputs)
		}
	}
}
