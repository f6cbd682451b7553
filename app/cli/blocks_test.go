package cli_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/programtest"
)

var updateGolden = flag.Bool("update", false, "write the golden files")

// block is a fenced block of a document, with the marks in comments before it.
type block struct {
	doc      string
	line     int
	language string
	text     string
	marks    map[string]string // example, setup, exit, needs, not run
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.doc, b.line) }

// first is the first line, by which the list of blocks that are not run names a block.
func (b block) first() string {
	line, _, _ := strings.Cut(b.text, "\n")
	return line
}

var (
	fencedBlock = regexp.MustCompile("(?ms)((?:^ *<!-- (?:example|setup|exit|needs|not run):.*?-->\n\n?)*)^( *)```(\\w*)\n(.*?)^ *```$")
	blockMark   = regexp.MustCompile(`(?s)<!-- ([a-z ]+):\s*(.*?)\s*-->`)
	goCommands  = regexp.MustCompile(`(?m)^(?:[A-Z_]+=\S+ )*go (?:-C \S+ )?(?:test|run) .*\n`)
	anyMark     = regexp.MustCompile(`(?m)^ *<!-- (example|setup|exit|needs|not run):`)
)

// blocksOf reads the blocks of a document.
func blocksOf(t *testing.T, doc string) []block {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(doc)))
	if err != nil {
		t.Fatal(err)
	}
	text, marks := string(data), 0
	var out []block
	for _, at := range fencedBlock.FindAllStringSubmatchIndex(text, -1) {
		b := block{
			doc: doc, line: 1 + strings.Count(text[:at[4]], "\n"), language: text[at[6]:at[7]],
			text: regexp.MustCompile("(?m)^"+text[at[4]:at[5]]).ReplaceAllString(text[at[8]:at[9]], ""), marks: map[string]string{},
		}
		for _, m := range blockMark.FindAllStringSubmatch(text[at[2]:at[3]], -1) {
			b.marks[m[1]] = m[2]
			marks++
		}
		out = append(out, b)
	}
	if all := len(anyMark.FindAllString(text, -1)); all != marks {
		t.Errorf("%s: %d of %d marks are not right before a block", doc, all-marks, all)
	}
	return out
}

// treatment is how a test treats a block.
type treatment string

const (
	runs    treatment = "run"
	checked treatment = "checked"
	notRun  treatment = "not run"
	shown   treatment = "text" // output, diagrams and files of other programs
)

// treatment decides by the language and the marks.
func (b block) treatment() (treatment, error) {
	if reason, marked := b.marks["not run"]; marked {
		if reason == "" {
			return "", fmt.Errorf("%s: give the reason why the block is not run", b)
		}
		return notRun, nil
	}
	switch b.language {
	case "sh", "console":
		if goCommands.ReplaceAllString(b.text, "") == "" {
			return checked, nil
		}
		return runs, nil
	case "yaml", "json":
		return checked, nil
	case "text":
		if strings.HasPrefix(b.text, "$ ") || strings.HasPrefix(b.text, "causal ") {
			return runs, nil
		}
		return shown, nil
	case "markdown", "mermaid", "sql":
		return shown, nil
	}
	return "", fmt.Errorf("%s: no test knows what to do with a block of the language %q", b, b.language)
}

// isShell reports whether a shell runs the block. The tests and programs of "go test" and "go run" are looked up and not run.
func (b block) isShell() bool {
	how, err := b.treatment()
	return err == nil && (how == runs || how == checked && b.language == "sh")
}

// documents lists the hand-written documents by path from the root.
func documents(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) < 20 {
		t.Fatal(err, len(docs))
	}
	out := []string{"README.md", "CONTRIBUTING.md"}
	for _, d := range docs {
		out = append(out, "docs/"+filepath.Base(d))
	}
	return out
}

// TestBlocksOfDocuments runs and checks the code blocks of the documents as a user would: in a new directory, with an empty home and
// the defaults. CONTRIBUTING.md describes the marks. testdata/blocks-not-run.txt lists the blocks that are not run.
func TestBlocksOfDocuments(t *testing.T) {
	t.Parallel()
	counts := map[treatment]int{}
	var skipped strings.Builder
	workflows := map[string]string{}
	t.Run("documents", func(t *testing.T) {
		for _, doc := range documents(t) {
			var sessions [][]block
			for _, b := range blocksOf(t, doc) {
				how, err := b.treatment()
				if err != nil {
					t.Error(err)
					continue
				}
				counts[how]++
				_, begins := b.marks["example"]
				switch {
				case how == notRun:
					fmt.Fprintf(&skipped, "%s: %s: %s\n", doc, b.first(), b.marks["not run"])
				case b.isShell() && (begins || sessions == nil):
					sessions = append(sessions, []block{b})
				case b.isShell():
					sessions[len(sessions)-1] = append(sessions[len(sessions)-1], b)
				case how == checked:
					if text := workflowOf(b); text != "" {
						workflows[strings.NewReplacer("/", "-", ":", "-").Replace(b.String())] = text
					}
					t.Run(b.String(), func(t *testing.T) {
						t.Parallel()
						checkFile(t, b)
					})
				}
			}
			for _, s := range sessions {
				t.Run(s[0].String(), func(t *testing.T) {
					t.Parallel()
					if program := s[0].marks["needs"]; program != "" {
						if _, err := exec.LookPath(program); err != nil {
							t.Skipf("%s is not installed", program)
						}
					}
					example := s[0].marks["example"]
					if example == "clone" && !slices.ContainsFunc(s, func(b block) bool { how, _ := b.treatment(); return how != checked }) {
						example = sources
					}
					newShell(t, programtest.Build(t), example).run(s)
				})
			}
		}
	})
	t.Logf("%d blocks are run, %d checked, %d not run, %d are text", counts[runs], counts[checked], counts[notRun], counts[shown])
	lintWorkflows(t, workflows)
	golden := filepath.Join("testdata", "blocks-not-run.txt")
	if *updateGolden {
		if err := os.WriteFile(golden, []byte(skipped.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || skipped.String() != string(want) {
		t.Errorf("%v: the blocks that are not run are\n%s\nwant, from %s\n%s", err, &skipped, golden, want)
	}
}

// TestTreatments holds the rule that decides which blocks are run.
func TestTreatments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		b    block
		want treatment
	}{
		{block{language: "sh", text: "true\n"}, runs},
		{block{language: "sh", text: "CAUSAL_LONG=1 go test ./cli\n"}, checked},
		{block{language: "sh", text: "go install .\ngo test ./...\n"}, runs},
		{block{language: "text", text: "$ causal check\n"}, runs},
		{block{language: "text", text: "causal check\n"}, runs},
		{block{language: "text", text: "stale\n"}, shown},
		{block{language: "yaml"}, checked},
		{block{language: "sh", marks: map[string]string{"not run": "needs a tunnel"}}, notRun},
		{block{language: "sh", marks: map[string]string{"not run": ""}}, ""},
		{block{language: "bash"}, ""},
		{block{}, ""},
	} {
		if got, err := c.b.treatment(); got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%+v: %q, %v; want %q", c.b, got, err, c.want)
		}
	}
	if got := quoted("a\n…\nd 0123456789\n"); !got.MatchString(named("a\nb\nc\nd 9876543210\n")) {
		t.Error("a line of dots stands for no lines")
	}
	if quoted("a 0123456789 0123456789\n").MatchString(named("a 0123456789 9876543210\n")) {
		t.Error("two names of events are compared as one")
	}
}
