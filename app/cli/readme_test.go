package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var consoles = regexp.MustCompile("(?ms)^```console\n(.*?)^```")

// TestFirstStepsWork types what README.md shows for a new repository, line by line into one shell, and sees that the same
// comes out.
func TestFirstStepsWork(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## First steps\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var shown, typed strings.Builder
	for _, block := range consoles.FindAllStringSubmatch(section, -1) {
		shown.WriteString(block[1])
		for line := range strings.Lines(block[1]) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				typed.WriteString("printf '$ %s\\n' '" + strings.ReplaceAll(strings.TrimSuffix(command, "\n"), "'", `'\''`) + "'\n" + command)
			}
		}
	}
	if strings.Count(shown.String(), "$ causal ") < 4 {
		t.Fatalf("README.md shows no more than\n%s", shown.String())
	}
	c := exec.Command(shell)
	c.Dir, c.Stdin = t.TempDir(), strings.NewReader(typed.String())
	out, err := c.CombinedOutput()
	if err != nil || string(out) != shown.String() {
		t.Errorf("%v\n%s\nREADME.md shows\n%s", err, out, shown.String())
	}
}
