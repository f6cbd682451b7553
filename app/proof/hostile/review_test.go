package hostile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/proof/hostile"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/sarif"
)

// reviewClone is a repository for reviews on the command line.
type reviewClone struct {
	*testing.T
	dir string
}

func newReviewClone(t *testing.T, files map[string]string) *reviewClone {
	d := &reviewClone{t, t.TempDir()}
	d.write(files)
	d.git("init", "-q", "-b", "main")
	d.git("config", "user.name", "@octo fixes #1 \u202e[x](javascript:alert(1)) `a -->")
	d.git("config", "user.email", "a@example.com")
	d.git("add", "-A")
	d.git("commit", "-q", "-m", "Begin")
	return d
}

func (d *reviewClone) write(files map[string]string) {
	d.Helper()
	for name, text := range files {
		at := filepath.Join(d.dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			d.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			d.Fatal(err)
		}
	}
}

func (d *reviewClone) git(args ...string) {
	d.Helper()
	cmd := exec.CommandContext(d.Context(), "git", args...)
	cmd.Dir = d.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		d.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// causal runs a command that ends with an exit code.
func (d *reviewClone) causal(code int, args ...string) string {
	d.Helper()
	var out, told bytes.Buffer
	if got := cli.Run(d.Context(), args, cli.IO{Out: &out, Err: &told, Getenv: os.Getenv, Now: time.Now, Dir: d.dir}); got != code {
		d.Fatalf("causal %v ended with %d:\n%.3000s\n%.3000s", args, got, out.String(), told.String())
	}
	if problem := visible("", told.String()) + noCommand("", told.String()); problem != "" {
		d.Errorf("causal %v says %s in\n%.2000s", args, problem, told.String())
	}
	return out.String()
}

// result is a result in SARIF.
func result(rule, message, file string, line int) map[string]any {
	return map[string]any{"ruleId": rule, "message": map[string]any{"text": message}, "locations": []any{map[string]any{"physicalLocation": map[string]any{
		"artifactLocation": map[string]any{"uri": file}, "region": map[string]any{"startLine": line},
	}}}}
}

func log(t *testing.T, tool string, results []any) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{
		"tool": map[string]any{"driver": map[string]any{"name": tool}}, "results": results,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// hostileChange is a change with a line for each text, and with a linter finding about each line.
func hostileChange(t *testing.T) *reviewClone {
	t.Helper()
	d := newReviewClone(t, map[string]string{
		"go.mod": "module example.com/shop\n", "money/money.go": "package money\n", ".causal/config.yml": "version: 1\nreview: {promote: {monthly: 1000}}\n",
	})
	source, results := "package money\n", []any{}
	for i, c := range hostile.Texts() {
		source += fmt.Sprintf("var x%d = call(%d, \"\") // %s\n", i, i, oneOf(c.Text))
		results = append(results, result(c.Text, c.Text, "money/money.go", i+2))
	}
	d.write(map[string]string{"money/money.go": source, "lint.sarif": log(t, "lint", results)})
	return d
}

// TestReviewsTellText checks that reviews show hostile linter messages and source lines as plain text.
func TestReviewsTellText(t *testing.T) {
	t.Parallel()
	d := hostileChange(t)
	least := len(hostile.Texts()) * 9 / 10 // some are one rule and one message, or none
	for format, holds := range map[string][]rule{
		"text": {visible, noCommand, linesWithin(10_000)}, "json": {visible, noCommand}, "sarif": {visible, noCommand, readAgain(least)}, "github": {visible, onlyAnnotations(least)},
	} {
		out := d.causal(cli.ExitFindings, "review", "--sarif", "lint.sarif", "--vet=false", "--format", format)
		for _, holds := range holds {
			if problem := holds("", out); problem != "" {
				t.Errorf("%s: %s in\n%.3000s", format, problem, out)
			}
		}
	}
}

// readAgain parses the output as SARIF.
func readAgain(least int) rule {
	return func(_, got string) string {
		found, err := sarif.Read(strings.NewReader(strings.ReplaceAll(got, `"name": "causal"`, `"name": "other"`)), "again.sarif")
		if err != nil {
			return err.Error()
		}
		if n := len(found.Runs[0].Results); n < least {
			return fmt.Sprintf("%d results", n)
		}
		return ""
	}
}

var annotation = regexp.MustCompile(`^::(error|warning|notice) file=money/money\.go,line=\d+,endLine=\d+,title=[^:,]*::`)

func onlyAnnotations(least int) rule {
	return func(_, got string) string {
		lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		for _, line := range lines {
			if !annotation.MatchString(line) || strings.Contains(line, "##[") {
				return "another command: " + line
			}
		}
		if len(lines) < least {
			return fmt.Sprintf("%d annotations", len(lines))
		}
		return ""
	}
}

// TestMemoryIsText checks records, principles and their page.
func TestMemoryIsText(t *testing.T) {
	t.Parallel()
	d := hostileChange(t)
	for n := range 3 {
		d.causal(cli.ExitFindings, "review", "--sarif", "lint.sarif", "--vet=false", "--close", "merged", "--as", fmt.Sprintf("pr-%d", n+1))
	}
	d.causal(cli.ExitClean, "update")
	d.causal(cli.ExitClean, "check")
	kept := map[string]int{}
	err := fs.WalkDir(os.DirFS(d.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(name, ".git/") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(d.dir, name))
		dir := filepath.Dir(name)
		switch {
		case dir == record.Dir:
			_, err = record.Decode(strings.TrimSuffix(filepath.Base(name), ".jsonl"), data)
		case dir == principle.Dir:
			_, err = principle.Read(name, data)
		case name == "docs/causal/principles.md":
			if problem := onlyAPage(string(data)); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
		default:
			return err
		}
		kept[dir]++
		if problem := visible("", string(data)); problem != "" || err != nil {
			t.Errorf("%s: %s %v in\n%.1000q", name, problem, err, data)
		}
		return err
	})
	if err != nil || kept[record.Dir] != 3 || kept[principle.Dir] < len(hostile.Texts())/2 || kept["docs/causal"] != 1 {
		t.Errorf("kept are %v, %v", kept, err)
	}
	for _, args := range [][]string{{"why", "principles/page"}, {"review", "--sarif", "lint.sarif", "--vet=false", "--fail-on", "never"}, {"trace"}} {
		out := d.causal(cli.ExitClean, args...)
		if problem := visible("", out) + noCommand("", out); problem != "" {
			t.Errorf("causal %v: %s in\n%.3000s", args, problem, out)
		}
	}
}

// toolComments are the comments of every page for other tools.
var toolComments = []string{" prettier-ignore-start ", " markdownlint-disable ", " prettier-ignore-end "}

// onlyAPage parses a page as GitHub does.
func onlyAPage(page string) string {
	tree, err := parse(page)
	if err != nil {
		return err.Error()
	}
	for n := range tree.Descendants() {
		switch {
		case n.Type == html.CommentNode && !strings.HasPrefix(n.Data, " causal") && !slices.Contains(toolComments, n.Data), n.Type == html.ElementNode && !elements[n.Data] && !slices.Contains([]string{"h1", "h2", "hr"}, n.Data):
			return "an element: " + n.Data
		case n.Type == html.ElementNode && n.Data == "a":
			if !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
				return a.Key == "href" && (strings.HasPrefix(a.Val, "../../.causal/principles/") || strings.Contains(a.Val, "evil.example"))
			}) {
				return fmt.Sprintf("a link: %v", n.Attr)
			}
		case n.Type == html.TextNode && !inside(n, "code", "pre", "a"):
			if found := inText.FindString(n.Data); found != "" {
				return "a reference: " + found
			}
		}
	}
	return ""
}
