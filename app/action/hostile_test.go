package action

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/proof/hostile"
)

// TestRunnerGetsText: whatever texts are, the runner reads as many commands as there are annotations, and as many outputs as there
// are.
func TestRunnerGetsText(t *testing.T) {
	t.Parallel()
	for _, c := range append(hostile.Texts(), hostile.Names()...) {
		dir := t.TempDir()
		var out bytes.Buffer
		j := &job{world: World{Out: &out}, temp: dir, summary: filepath.Join(dir, "summary"), outputs: filepath.Join(dir, "outputs")}
		r := Result{
			Title: c.Text, Notes: []string{c.Text}, Commit: c.Text,
			annotations: []github.Annotation{{Path: c.Text, Line: 1, Level: "warning", Title: c.Text, Message: c.Text}},
		}
		if err := j.tell(r); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != 3 || !strings.HasPrefix(lines[0], "causal: ") || !strings.HasPrefix(lines[1], "::notice title=causal::") ||
			!strings.HasPrefix(lines[2], "::warning title=") || strings.Contains(out.String(), "##[") || strings.Contains(out.String(), "\r") {
			t.Errorf("%s: the runner reads\n%.500q", c.Label, lines)
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
			t.Errorf("%s: the outputs are %.500q", c.Label, outputs)
		}
	}
}
