package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/render/pagecheck"
)

// root is the project's own directory, as seen from this package.
const root = "../.."

// writtenPages reads the documents that people wrote about this project, by path from its root.
func writtenPages(t *testing.T) []pagecheck.Page {
	t.Helper()
	names := []string{"README.md", "CONTRIBUTING.md"}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		names = append(names, "docs/"+filepath.Base(d))
	}
	var out []pagecheck.Page
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, pagecheck.Page{Path: name, Content: data})
	}
	if len(out) < 5 {
		t.Fatalf("only %d documents found", len(out))
	}
	return out
}

var (
	fenced = regexp.MustCompile("(?ms)^```[^\n]*\n(.*?)^```")
	inline = regexp.MustCompile("`([^`\n]+)`")
	// called is a command line of causal within code: everything up to where a shell, or a sentence of output, ends it.
	called = regexp.MustCompile(`(?:^|[\s(])(?:causal|go run \.) ([^|&;#()\n]+)`)
	word   = regexp.MustCompile(`^[a-z]+$`)
	flag   = regexp.MustCompile(`^--?[a-z][a-z-]*$`)
)

// callsIn lists the command lines of causal in the code of a document.
func callsIn(page string) []string {
	var code []string
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		code = append(code, strings.Split(m[1], "\n")...)
	}
	for _, m := range inline.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		code = append(code, m[1])
	}
	var out []string
	for _, line := range code {
		for _, m := range called.FindAllStringSubmatch(line, -1) {
			out = append(out, m[1])
		}
	}
	return out
}

// looseFlags lists the flags that a document names by themselves, as in "`--json` prints one object".
func looseFlags(page string) []string {
	var out []string
	for _, m := range inline.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		if name, _, _ := strings.Cut(m[1], " "); flag.MatchString(name) {
			out = append(out, name)
		}
	}
	return out
}

// follow walks down the command tree along the words of a command line, and returns the command and its flags.
func follow(c *cobra.Command, line string) (found *cobra.Command, flags []string) {
	descending := true
	for _, w := range strings.Fields(line) {
		name, _, _ := strings.Cut(w, "=")
		if flag.MatchString(name) {
			flags = append(flags, name)
			continue
		}
		next := slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == w })
		if !descending || next < 0 {
			descending = false
			continue
		}
		c = c.Commands()[next]
	}
	return c, flags
}

func knows(c *cobra.Command, name string) bool {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	if long, ok := strings.CutPrefix(name, "--"); ok {
		return c.Flags().Lookup(long) != nil || c.InheritedFlags().Lookup(long) != nil
	}
	short := strings.TrimPrefix(name, "-")
	return len(short) == 1 && c.Flags().ShorthandLookup(short) != nil
}

func TestDocumentsNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	tree := newRoot(IO{}, nil)
	seen := map[string]bool{}
	hooks, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	entries := pagecheck.Page{Path: ".pre-commit-hooks.yaml", Content: fmt.Appendf(nil, "```\n%s```\n", hooks)}
	for _, page := range append(writtenPages(t), entries) {
		for _, line := range callsIn(string(page.Content)) {
			first := strings.Fields(line)[0]
			c, flags := follow(tree, line)
			if c == tree && word.MatchString(first) {
				t.Errorf("%s: `causal %s`: there is no such command", page.Path, line)
				continue
			}
			seen[c.CommandPath()] = true
			for _, f := range flags {
				if !knows(c, f) {
					t.Errorf("%s: `causal %s`: %s has no flag %s", page.Path, line, c.CommandPath(), f)
				}
			}
		}
	}
	for _, page := range writtenPages(t) {
		if page.Path == "docs/replay.md" || page.Path == "docs/questions.md" || page.Path == "docs/testgen-proof.md" {
			continue // their flags are those of the programs that they are about, and of others
		}
		for _, f := range looseFlags(string(page.Content)) {
			if !slices.ContainsFunc(runnable(tree), func(c *cobra.Command) bool { return knows(c, f) }) {
				t.Errorf("%s: no command has the flag %s", page.Path, f)
			}
		}
	}
	for _, c := range runnable(tree) {
		if !seen[c.CommandPath()] {
			t.Errorf("neither README.md nor docs/ mentions `%s`", c.CommandPath())
		}
	}
}

// runnable lists the commands that do something, without help commands.
func runnable(c *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, sub := range c.Commands() {
		if sub.Name() == "help" || sub.Name() == "completion" {
			continue
		}
		if !sub.HasSubCommands() || sub.Use != sub.Name() { // what takes arguments does something itself
			out = append(out, sub)
		}
		out = append(out, runnable(sub)...)
	}
	return out
}

func TestDocumentsReadAsMeant(t *testing.T) {
	t.Parallel()
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Clean(name))))
		return err == nil
	}
	for _, p := range pagecheck.Check(writtenPages(t), exists) {
		t.Errorf("%s:%d: %s (%s)", p.Page, p.Line, p.What, p.Mend)
	}
}

// keysOf lists the names under which a type is written, its parts' included.
func keysOf(t reflect.Type, tag string, out map[string]bool) map[string]bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return out
	}
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get(tag), ","); name != "" && name != "-" {
			out[name] = true
			keysOf(f.Type, tag, out)
		}
	}
	return out
}

func TestFormatsAreDescribedFieldByField(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(root, "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []struct {
		value any
		tag   string
		least int // fewer keys than these mean that this test looks in the wrong place
	}{
		{node.Node{}, "yaml", 30}, {frame.Frame{}, "yaml", 10}, {session.Artifacts{}, "yaml", 3},
		{report.Update{}, "json", 15}, {report.Check{}, "json", 6},
	} {
		kind := reflect.TypeOf(format.value)
		keys := keysOf(kind, format.tag, map[string]bool{})
		if len(keys) < format.least {
			t.Errorf("%v has only the keys %v", kind, keys)
		}
		for key := range keys {
			if !strings.Contains(string(data), "`"+key+"`") {
				t.Errorf("docs/formats.md does not say what `%s` of %v means", key, kind)
			}
		}
	}
}

var mermaidFence = regexp.MustCompile("(?ms)^```mermaid\n(.*?)^```")

func TestReadmeShowsTheLoop(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	diagrams := mermaidFence.FindAllSubmatch(readme, -1)
	if len(diagrams) == 0 {
		t.Fatal("README.md has no diagram")
	}
	for _, d := range diagrams {
		if err := pagecheck.Diagram(strings.TrimSuffix(string(d[1]), "\n")); err != nil {
			t.Errorf("README.md: diagram: %v", err)
		}
	}
}
