package cli_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// knowledge is what the repository says about itself: nodes and pages.
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

// farewell marks the page of a module that is gone: only what a person wrote on it remains.
const farewell = "This module is no longer there."

// content is the knowledge without provenance and without what people added to it.
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

// sameAsScratch fails unless the knowledge is what a first run over the same files makes of them.
func sameAsScratch(t tester, r *repo) {
	t.Helper()
	parent, err := os.MkdirTemp(filepath.Dir(r.dir), "scratch-")
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer func() { _ = os.RemoveAll(parent) }()
	scratch := r.copySources(filepath.Join(parent, "repo"))
	scratch.t = t
	scratch.update()
	if diff := difference(scratch.content(), r.content()); diff != "" {
		t.Fatalf("not what a run from scratch makes of the same files (-scratch +here):\n%s", diff)
	}
}

// copySources makes a repository of the same files: what is tracked here is committed there, what is not stays so.
// Nothing that causal derived comes along.
func (r *repo) copySources(dir string) *repo {
	r.t.Helper()
	to := initRepo(r.t, dir)
	to.now = r.now
	tracked := r.list("ls-files", "-z", "--cached")
	for _, name := range append(r.list("ls-files", "-z", "--others", "--exclude-standard"), tracked...) {
		if derived(name) {
			continue
		}
		if err := copyFile(r.path(name), to.path(name)); err != nil {
			r.t.Fatalf("%v", err)
		}
	}
	add := slices.DeleteFunc(tracked, func(name string) bool { return !to.has(name) })
	cmd := exec.Command("git", "add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul")
	cmd.Dir, cmd.Stdin = to.dir, strings.NewReader(strings.Join(add, "\x00"))
	if out, err := cmd.CombinedOutput(); err != nil && len(add) > 0 {
		r.t.Fatalf("git add: %v\n%s", err, out)
	}
	to.git("commit", "--quiet", "--allow-empty", "--message=From scratch")
	return to
}

// derived reports whether a path is where causal writes what follows from other files. The configuration is people's, and the log is what was
// said and happened.
func derived(name string) bool {
	own := strings.HasPrefix(name, ".causal/") && name != ".causal/config.yml" && !strings.HasPrefix(name, ".causal/log/")
	return own || strings.HasPrefix(name, "docs/causal/")
}

func (r *repo) list(args ...string) []string {
	r.t.Helper()
	return slices.DeleteFunc(strings.Split(r.git(args...), "\x00"), func(s string) bool { return s == "" })
}

// copyFile copies a file or a link; one that is not there is left out.
func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if os.IsNotExist(err) || err == nil && info.IsDir() {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, info.Mode().Perm())
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
