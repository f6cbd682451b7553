package cli_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
)

// TestMain makes the test binary run as causal when it is called so, and keeps the configuration of whoever runs the
// tests out of them.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "causal" {
		os.Exit(cli.Main())
	}
	if _, err := exec.LookPath("git"); err != nil {
		fmt.Fprintln(os.Stderr, "skipped: these tests build their repositories with git, which is not installed")
		return
	}
	os.Exit(isolated(m))
}

func isolated(m *testing.M) int {
	bin, err := os.MkdirTemp("", "causal-bin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(bin) }()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "causal"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") {
			_ = os.Unsetenv(name)
		}
	}
	for name, value := range map[string]string{
		"HOME": os.DevNull, "XDG_CONFIG_HOME": os.DevNull, "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "EMAIL": "",
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
		"GIT_AUTHOR_DATE": dateOf(0), "GIT_COMMITTER_DATE": dateOf(0),
		"PATH": bin + string(filepath.ListSeparator) + os.Getenv("PATH"),
	} {
		if err := os.Setenv(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	// A check builds a repository and runs causal many times; more of them: -rapid.checks=300.
	if err := flag.Set("rapid.checks", "15"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// dateOf is the date of the n-th commit.
func dateOf(n int) string {
	return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, n).Format(time.RFC3339)
}

// tester is what repositories need of *testing.T and *rapid.T.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// repo is a git repository on disk, and causal's view of it.
type repo struct {
	t       tester
	dir     string
	commits int
	now     func() time.Time
}

// newRepo makes an empty repository.
func newRepo(t testing.TB) *repo {
	t.Helper()
	return initRepo(t, filepath.Join(t.TempDir(), "repo"))
}

func initRepo(t tester, dir string) *repo {
	t.Helper()
	r := &repo{t: t, dir: dir, now: time.Now}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatalf("%v", err)
	}
	r.git("init", "--quiet", "--initial-branch=main", "--template=")
	return r
}

// newShop makes a repository with the files of a small shop, committed.
func newShop(t testing.TB) *repo {
	t.Helper()
	r := newRepo(t)
	r.writeAll(shop)
	r.commit("Open the shop")
	return r
}

// shop is a small project: two packages of which one uses the other, and a README.
var shop = map[string]string{
	"README.md": "# Shop\n\nSells things.\n",
	"go.mod":    "module example.com/shop\n\ngo 1.24\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n\n" +
		"// Parse reads an amount.\nfunc Parse(s string) (Amount, error) {\n\treturn Amount(len(s)), nil\n}\n",
	"cart/cart.go": "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\n" +
		"// Total is what is to be paid.\nfunc Total(n int) money.Amount {\n\treturn money.Amount(n)\n}\n",
}

// git runs git and returns what it prints, without the last line end.
func (r *repo) git(args ...string) string {
	r.t.Helper()
	out, err := r.tryGit(args...)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func (r *repo) tryGit(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "gc.auto=0", "-c", "core.safecrlf=false"}, args...)...)
	cmd.Dir = r.dir
	date := dateOf(r.commits)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date, "GIT_EDITOR=true")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// commit commits everything that is not ignored and returns the id.
func (r *repo) commit(message string) string {
	r.t.Helper()
	r.git("add", "--all")
	r.commits++
	r.git("commit", "--quiet", "--allow-empty", "--message="+message)
	return r.git("rev-parse", "HEAD")
}

func (r *repo) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *repo) write(name, content string) {
	r.t.Helper()
	err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755)
	if err == nil {
		err = os.WriteFile(r.path(name), []byte(content), 0o644)
	}
	if err != nil {
		r.t.Fatalf("%v", err)
	}
}

func (r *repo) writeAll(files map[string]string) {
	r.t.Helper()
	for name, content := range files {
		r.write(name, content)
	}
}

func (r *repo) read(name string) string {
	r.t.Helper()
	content, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatalf("%v", err)
	}
	return string(content)
}

func (r *repo) has(name string) bool {
	_, err := os.Lstat(r.path(name))
	return err == nil
}

func (r *repo) remove(name string) {
	r.t.Helper()
	if err := os.RemoveAll(r.path(name)); err != nil {
		r.t.Fatalf("%v", err)
	}
}

// replace exchanges text in a file that must hold it.
func (r *repo) replace(name, old, text string) {
	r.t.Helper()
	content := r.read(name)
	if !strings.Contains(content, old) {
		r.t.Fatalf("%s does not hold %q:\n%s", name, old, content)
	}
	r.write(name, strings.ReplaceAll(content, old, text))
}

// result is what one run of causal printed and how it ended.
type result struct {
	code     int
	out, err string
}

func (r result) String() string { return fmt.Sprintf("exit code %d\n%s%s", r.code, r.out, r.err) }

// run runs causal in the repository, in this process.
func (r *repo) run(args ...string) result {
	var out, talk bytes.Buffer
	code := cli.Run(context.Background(), args, cli.IO{Out: &out, Err: &talk, Getenv: os.Getenv, Now: r.now, Dir: r.dir})
	return result{code, out.String(), talk.String()}
}

// causal runs causal and expects an exit code.
func (r *repo) causal(code int, args ...string) result {
	r.t.Helper()
	got := r.run(args...)
	if got.code != code {
		r.t.Fatalf("causal %s: want exit code %d\n%s", strings.Join(args, " "), code, got)
	}
	return got
}

// update brings everything up to date and expects that nothing is left to do.
func (r *repo) update() result {
	r.t.Helper()
	return r.causal(cli.ExitClean, "update")
}

// files lists the regular files below some places of the repository, with their content.
func (r *repo) files(below ...string) map[string]string {
	r.t.Helper()
	out := map[string]string{}
	for _, top := range below {
		err := filepath.WalkDir(r.path(top), func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(name)
			rel, _ := filepath.Rel(r.dir, name)
			out[filepath.ToSlash(rel)] = string(content)
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			r.t.Fatalf("%v", err)
		}
	}
	return out
}

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
			text = strings.TrimSuffix(blankLines.ReplaceAllString(keepText.ReplaceAllString(text, ""), "\n\n"), "\n") + "\n"
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
// Nothing that causal wrote comes along.
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

// derived tells whether a path is where causal writes.
func derived(name string) bool {
	return strings.HasPrefix(name, ".causal/") && name != ".causal/config.yml" || strings.HasPrefix(name, "docs/causal/")
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
