package change

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var hunkHead = regexp.MustCompile(`(?m)^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// gitHunks are those of git's patience diff.
func gitHunks(t *rapid.T, dir, before, after string) []Hunk {
	for name, text := range map[string]string{"a": before, "b": after} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("git", "diff", "--no-index", "--patience", "--no-indent-heuristic", "a", "b")
	cmd.Dir = dir
	out, _ := cmd.Output() // that they differ is an exit code
	var hunks []Hunk
	for _, m := range hunkHead.FindAllStringSubmatch(string(out), -1) {
		n := func(i int) int {
			if m[i] == "" {
				return 1
			}
			v, err := strconv.Atoi(m[i])
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		h := Hunk{First: n(1), NowFirst: n(3)}
		if n(2) == 0 { // of no lines it names the one before
			h.First++
		}
		if n(4) == 0 {
			h.NowFirst++
		}
		h.End, h.NowEnd = h.First+n(2), h.NowFirst+n(4)
		hunks = append(hunks, h)
	}
	return hunks
}

// TestHunksAreGits: what a diff shows is what git says that it shows, where all lines differ from each other, so that there is one way
// to compare them.
func TestHunksAreGits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var before, after []string
		for i := range rapid.IntRange(0, 60).Draw(t, "lines") {
			line := fmt.Sprintf("line %d", i)
			switch rapid.IntRange(0, 11).Draw(t, "what becomes of it") {
			case 0:
				before = append(before, line)
			case 1:
				after = append(after, line)
			case 2:
				before, after = append(before, line), append(after, "not "+line)
			default:
				before, after = append(before, line), append(after, line)
			}
		}
		text := func(lines []string) string {
			if len(lines) == 0 {
				return ""
			}
			return strings.Join(lines, "\n") + "\n"
		}
		want := gitHunks(t, dir, text(before), text(after))
		if got := Compare(before, after).Hunks(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, and git says %v of\n%s\nand\n%s", got, want, text(before), text(after))
		}
	})
}
