package cli_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// knowledge returns the nodes and pages.
func (r *repo) knowledge() map[string]string {
	r.t.Helper()
	return r.files(".causal/nodes", "docs/causal")
}

// provenance is what two runs over the same input may say differently: when and where something was last derived.
var provenance = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?m)^( *(?:- )?(?:last_verified|commit|frame_id|lines|at|hash):).*$`), "$1"},
	{regexp.MustCompile(`/blob/[0-9a-f]{40}/([^)#\s]*)(#L[0-9L-]+)?`), "/blob/$1"},
}

// keepText is a block of a page that a person wrote.
var keepText = regexp.MustCompile(`(?ms)^<!-- causal:keep ([\w.-]+) -->$.*?^<!-- /causal:keep -->$`)

// farewell is the text on the page of a removed module with a keep block.
const farewell = "This module was removed or moved to a shared page."

// content returns the knowledge without provenance and keep blocks.
func (r *repo) content() map[string]string {
	r.t.Helper()
	out := map[string]string{}
	for name, text := range r.knowledge() {
		if strings.Contains(text, farewell) {
			continue
		}
		for _, p := range provenance {
			text = p.pattern.ReplaceAllString(text, p.instead)
		}
		if keepText.MatchString(text) {
			text = strings.TrimRight(blankLines.ReplaceAllString(keepText.ReplaceAllString(text, ""), "\n\n"), "\n") + "\n"
		}
		out[name] = text
	}
	return out
}

var blankLines = regexp.MustCompile(`\n{3,}`)

// sameAsScratch fails unless the knowledge equals that of a first run.
func sameAsScratch(t tester, r *repo) {
	t.Helper()
	if diff := difference(r.fromScratch(t), r.content()); diff != "" {
		t.Fatalf("not what a run from scratch makes of the same files (-scratch +here):\n%s", diff)
	}
}

// scratches remembers what first runs made, by their sources: many tests end with the same ones.
var scratches sync.Map

// fromScratch runs a first update on the same files. Tracked files are committed, untracked ones are not.
func (r *repo) fromScratch(t tester) map[string]string {
	t.Helper()
	sources := r.sourcesOf()
	key := sha256.Sum256(fmt.Append(nil, sources)) // which has the names in order
	if made, ok := scratches.Load(key); ok {
		return made.(map[string]string)
	}
	parent, err := os.MkdirTemp(filepath.Dir(r.dir), "scratch-")
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer func() { _ = os.RemoveAll(parent) }()
	scratch := r.copySources(t, sources, filepath.Join(parent, "repo"))
	scratch.update()
	made := scratch.content()
	scratches.Store(key, made)
	return made
}

// sourceFile is a file that causal did not derive.
type sourceFile struct {
	tracked bool
	mode    fs.FileMode
	content string // of a link, where it leads
}

// sourcesOf reads the files that causal did not derive and git does not ignore.
func (r *repo) sourcesOf() map[string]sourceFile {
	r.t.Helper()
	out := map[string]sourceFile{}
	for _, line := range strings.Split(r.git("ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard"), "\x00") {
		tag, name, _ := strings.Cut(line, " ")
		info, err := os.Lstat(r.path(name))
		if name == "" || derived(name) || os.IsNotExist(err) || err == nil && info.IsDir() {
			continue
		}
		var content string
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			content, err = os.Readlink(r.path(name))
		} else if err == nil {
			content = r.read(name)
		}
		if err != nil {
			r.t.Fatalf("%v", err)
		}
		out[name] = sourceFile{tag != "?", info.Mode(), content}
	}
	return out
}

// copySources makes a repository of sources. Nothing that causal derived comes along.
func (r *repo) copySources(t tester, sources map[string]sourceFile, dir string) *repo {
	t.Helper()
	to := initRepo(t, dir)
	to.now = r.now
	var add []string
	for name, f := range sources {
		err := os.MkdirAll(filepath.Dir(to.path(name)), 0o755)
		switch {
		case err != nil:
		case f.mode&fs.ModeSymlink != 0:
			err = os.Symlink(f.content, to.path(name))
		default:
			err = os.WriteFile(to.path(name), []byte(f.content), f.mode.Perm())
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		if f.tracked {
			add = append(add, name)
		}
	}
	if len(add) > 0 {
		cmd := exec.Command("git", "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul")
		cmd.Dir, cmd.Stdin = to.dir, strings.NewReader(strings.Join(add, "\x00"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git add: %v\n%s", err, out)
		}
	}
	to.git("commit", "--quiet", "--allow-empty", "--message=From scratch")
	return to
}

// derived reports whether causal derives the file from others. The configuration and the log are not derived.
func derived(name string) bool {
	own := strings.HasPrefix(name, ".causal/") && name != ".causal/config.yml" && !strings.HasPrefix(name, ".causal/log/")
	return own || strings.HasPrefix(name, "docs/causal/")
}

func (r *repo) list(args ...string) []string {
	r.t.Helper()
	return slices.DeleteFunc(strings.Split(r.git(args...), "\x00"), func(s string) bool { return s == "" })
}

// difference shows the lines in which two sets of files differ; empty when they are equal.
func difference(want, got map[string]string) string {
	var b strings.Builder
	names := maps.Clone(want)
	maps.Copy(names, got)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, inWant := want[name]
		c, inGot := got[name]
		switch {
		case !inGot:
			fmt.Fprintf(&b, "- %s\n", name)
		case !inWant:
			fmt.Fprintf(&b, "+ %s\n", name)
		case a != c:
			fmt.Fprintf(&b, "  %s\n%s", name, differentLines(a, c))
		}
	}
	return b.String()
}

// differentLines leaves out the lines that two texts begin and end with.
func differentLines(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	var out strings.Builder
	for _, line := range x {
		out.WriteString("    - " + strings.TrimSuffix(line, "\n") + "\n")
	}
	for _, line := range y {
		out.WriteString("    + " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return out.String()
}
