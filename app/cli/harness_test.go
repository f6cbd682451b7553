package cli_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// TestMain runs the test binary as causal if its name says so, and isolates the tests from the user's configuration.
func TestMain(m *testing.M) {
	if dir := os.Getenv(calls); dir != "" && filepath.Base(os.Args[0]) == "recorder" {
		if err := recordCall(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if filepath.Base(os.Args[0]) == "causal" || confine.IsLauncher() {
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
	templates = bin
	home := filepath.Join(bin, "home") // the go command has a directory there
	self, err := os.Executable()
	if err == nil {
		err = errors.Join(os.Mkdir(home, 0o755), os.Symlink(self, filepath.Join(bin, "causal")))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "CAUSAL_") && !strings.HasPrefix(name, "CAUSAL_TEST_") && name != testmode.Setting || strings.HasSuffix(name, "_API_KEY") {
			_ = os.Unsetenv(name)
		}
	}
	if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" { // go vet compiles imports once for all tests
		err = os.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	modules := cmp.Or(os.Getenv("GOMODCACHE"), filepath.Join(build.Default.GOPATH, "pkg", "mod")) // before HOME is replaced
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": os.DevNull, "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "EMAIL": "",
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
		"GIT_AUTHOR_DATE": dateOf(0), "GIT_COMMITTER_DATE": dateOf(0),
		"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false", "GIT_CONFIG_KEY_1": "core.fsync", "GIT_CONFIG_VALUE_1": "none",
		"PATH": bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "GOMODCACHE": modules,
	} {
		if err := os.Setenv(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	if !testmode.Long() { // a check builds a repository and runs causal many times
		if err := flag.Set("rapid.checks", "2"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	debug.SetGCPercent(400) // most runs of the program end before the first collection
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
	return copyOf(t, emptyRepo(), dir)
}

// newShop makes a repository with the files of a small shop, committed.
func newShop(t testing.TB) *repo {
	t.Helper()
	r := copyOf(t, shopRepo(), filepath.Join(t.TempDir(), "repo"))
	r.commits = 1
	return r
}

// newDocumentedShop makes a shop whose knowledge is up to date and committed.
func newDocumentedShop(t testing.TB) *repo {
	t.Helper()
	r := copyOf(t, documentedShopRepo(), filepath.Join(t.TempDir(), "repo"))
	r.commits = 2
	return r
}

// copyOf makes a repository from a template's directory, which takes less time than the processes of git that made it.
func copyOf(t tester, template, dir string) *repo {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatalf("%v", err)
	}
	return &repo{t: t, dir: dir, now: time.Now}
}

// templates is a directory that goes away with the tests.
var templates string

// broken makes a template that cannot be built a panic.
type broken struct{}

func (broken) Helper() {}

func (broken) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

var emptyRepo = sync.OnceValue(func() string {
	r := &repo{t: broken{}, dir: filepath.Join(templates, "empty")}
	must(r, os.Mkdir(r.dir, 0o755))
	r.git("init", "--quiet", "--initial-branch=main", "--template=")
	return r.dir
})

var shopRepo = sync.OnceValue(func() string {
	r := copyOf(broken{}, emptyRepo(), filepath.Join(templates, "shop"))
	r.writeAll(shop)
	r.commit("Open the shop")
	r.git("repack", "-adq") // few files are copied faster than many
	return r.dir
})

var documentedShopRepo = sync.OnceValue(func() string {
	r := copyOf(broken{}, shopRepo(), filepath.Join(templates, "documented"))
	r.update()
	r.commit("Document it")
	r.git("repack", "-adq")
	return r.dir
})

// shop is a small project: two packages of which one uses the other, and a README.
var shop = map[string]string{
	"README.md": "# Shop\n\nSells things.\n",
	"go.mod":    "module example.com/shop\n\ngo 1.24\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n\n" +
		"// Parse reads an amount.\nfunc Parse(s string) (Amount, error) {\n\treturn Amount(len(s)), nil\n}\n",
	"cart/cart.go": "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\n" +
		"// Total is what is to be paid.\nfunc Total(n int) money.Amount {\n\treturn money.Amount(n)\n}\n",
}

// git runs git and returns the output without the last line end.
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

// commit commits everything that is not ignored.
func (r *repo) commit(message string) {
	r.t.Helper()
	r.git("add", "--all")
	r.commits++
	r.git("commit", "--quiet", "--allow-empty", "--message="+message)
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
