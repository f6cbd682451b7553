package workspace_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
)

// shop is a small project: two packages of which one uses the other, and a README.
var shop = map[string]string{
	"README.md": "# Shop\n\nSells things.\n",
	"go.mod":    "module example.com/shop\n\ngo 1.24\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n\n" +
		"// Parse reads an amount.\nfunc Parse(s string) (Amount, error) {\n\treturn Amount(len(s)), nil\n}\n",
	"cart/cart.go": "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\n" +
		"// Total is what is to be paid.\nfunc Total(n int) money.Amount {\n\treturn money.Amount(n)\n}\n",
}

// world is a remote repository and a clone of it.
type world struct {
	*testing.T
	remote *githubsim.Repository
	token  string
	clone  string
	kept   string // the server's data directory
	temp   string // the temporary directory of a job
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	w := &world{T: t, clone: filepath.Join(t.TempDir(), "clone"), kept: t.TempDir(), temp: t.TempDir()}
	if w.remote, err = sim.CreateRepository("octo/shop", githubsim.FromFiles(files)); err != nil {
		t.Fatal(err)
	}
	w.token = sim.Token("octo")
	w.git(t.TempDir(), "clone", "--quiet", w.remote.Dir(), w.clone)
	return w
}

func (w *world) git(dir string, args ...string) string {
	w.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (w *world) push(branch string, files map[string]string) string {
	w.Helper()
	id, err := w.remote.Push(branch, githubsim.Change{Write: files, Message: "Change it"})
	if err != nil {
		w.Fatal(err)
	}
	w.git(w.clone, "fetch", "--quiet", "origin")
	return id
}

func (w *world) address() workspace.Remote {
	return workspace.Remote{URL: w.remote.CloneURL(), Token: func(context.Context) (string, error) { return w.token, nil }}
}

func (w *world) workTree() workspace.WorkTree {
	return workspace.WorkTree{Dir: w.clone, Now: time.Now}
}

func (w *world) checkout() workspace.Checkout {
	return workspace.Checkout{
		Dir: w.clone, Temp: w.temp, Ref: "refs/heads/main",
		Remote: func(context.Context) (workspace.Remote, error) { return w.address(), nil },
	}
}

func (w *world) mirrored(commit string) workspace.Mirrored {
	return workspace.Mirrored{Dir: w.kept, Remote: w.address(), Commit: commit, Rules: commit, Branch: "main"}
}

// sources are all ways to open the head of main.
func (w *world) sources() map[string]workspace.Source {
	return map[string]workspace.Source{
		"work tree": w.workTree(), "checkout": w.checkout(), "mirrored": w.mirrored(w.remote.Head("main")),
	}
}

func (w *world) open(from workspace.Source) *workspace.Workspace {
	w.Helper()
	opened, err := workspace.Open(w.Context(), from)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		if err := opened.Close(); err != nil {
			w.Error(err)
		}
	})
	return opened
}

func (w *world) update(at *workspace.Workspace) *report.Update {
	w.Helper()
	e, err := at.Engine()
	if err != nil {
		w.Fatal(err)
	}
	report, err := e.Update(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return report
}

// written are the files that a run has made.
func written(t *testing.T, at *workspace.Workspace) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name := range at.Files.Changed() {
		data, err := at.Files.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(data)
	}
	return out
}

// TestEverybodyFindsTheSame: a run writes the same bytes however the state was opened, and leaves nothing else.
func TestEverybodyFindsTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	all := map[string]map[string]string{}
	for name, from := range w.sources() {
		at := w.open(from)
		w.update(at)
		all[name] = written(t, at)
		if err := at.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	want := all["work tree"]
	if want["docs/causal/modules/money.md"] == "" || want[".causal/nodes/cart.yml"] == "" {
		t.Fatalf("written are %v", slices.Sorted(maps.Keys(want)))
	}
	for name, got := range all {
		for file := range want {
			if got[file] != want[file] {
				t.Errorf("%s: %s is\n%s\nin a work tree it is\n%s", name, file, got[file], want[file])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: written are %v, in a work tree %v", name, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
	w.nothingLeft()
}

// nothingLeft reports files that runs must not leave behind.
func (w *world) nothingLeft() {
	w.Helper()
	if left, _ := os.ReadDir(w.temp); len(left) > 0 {
		w.Errorf("left is %v", left)
	}
	if trees := strings.Count(w.git(w.clone, "worktree", "list"), "\n"); trees != 1 {
		w.Errorf("%d work trees are left", trees)
	}
	if left, _ := filepath.Glob(filepath.Join(w.kept, "index", "*")); len(left) > 0 {
		w.Errorf("left is %v, and nothing was published", left)
	}
}

// TestEverybodyRefusesTheSame checks that every entry point reports a configuration error with the same words and the line.
func TestEverybodyRefusesTheSame(t *testing.T) {
	t.Parallel()
	for says, text := range map[string]string{
		`.causal/config.yml:2: unknown key "brunch": did you mean "branch"?`:                                       "version: 1\nbrunch: main\n",
		`.causal/config.yml:3: bot.mode "often" must be commit, pull_request or check`:                             "version: 1\nbot:\n  mode: often\n",
		`.causal/config.yml:2: docs.dir "../docs" must be a directory below the repository's root, such as docs/c`: "version: 1\ndocs: {dir: ../docs}\n",
	} {
		files := maps.Clone(shop)
		files[store.Config] = text
		w := newWorld(t, files)
		for name, from := range w.sources() {
			_, err := workspace.Open(t.Context(), from)
			var broken *config.Error
			if err == nil || !errors.As(err, &broken) || !workspace.Mendable(err) || !strings.HasPrefix(err.Error(), says) {
				t.Errorf("%s: %v; want %s", name, err, says)
			}
		}
		w.nothingLeft()
	}
}

// TestEverybodyRefusesAConfigurationThatIsTooLarge before it is read.
func TestEverybodyRefusesAConfigurationThatIsTooLarge(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files[store.Config] = strings.Repeat("#", config.LargestFile+1)
	w := newWorld(t, files)
	for name, from := range w.sources() {
		_, err := workspace.Open(t.Context(), from)
		if err == nil || !workspace.Mendable(err) || !strings.Contains(err.Error(), "the file is larger than 64 KB") {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.nothingLeft()
}

// TestAnOddNodeCostsItself checks that an unreadable node is derived again and reported, and the rest is documented.
func TestAnOddNodeCostsItself(t *testing.T) {
	t.Parallel()
	const place, ghost = ".causal/nodes/cart.yml", ".causal/nodes/ghost.yml"
	for says, text := range map[string]string{
		"is larger than 8 MB":                        strings.Repeat("#", 8<<20+1),
		"line 1: more than 262144 values up to here": "path: [" + strings.Repeat("a,", 1<<18) + "a]\n",
		"exceeded max depth of 32":                   "path: " + strings.Repeat("[", 33) + strings.Repeat("]", 33) + "\n",
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(shop)
			files[place], files[ghost] = text, text
			w := newWorld(t, files)
			for name, from := range w.sources() {
				at := w.open(from)
				told := w.update(at)
				for _, own := range []string{place, ".causal/nodes/money.yml", "docs/causal/modules/money.md", "docs/causal/modules/cart.md", "docs/causal/index.md"} {
					if data, err := at.Files.Read(own); err != nil || string(data) == text {
						t.Errorf("%s: %s is not written: %v", name, own, err)
					}
				}
				if written, removed, err := at.Files.Touched(); err != nil || !slices.Contains(written, place) || !slices.Equal(removed, []string{ghost}) {
					t.Errorf("%s: wrote %q, removed %q: %v", name, written, removed, err)
				}
				if !slices.ContainsFunc(told.Invalidated, func(i report.Invalidated) bool {
					return i.Node == "cart" && i.File == place && strings.Contains(i.Detail, says)
				}) {
					t.Errorf("%s: nobody is told: %+v", name, told.Invalidated)
				}
			}
		})
	}
}

// TestWhatIsInTheWayOfANode is left, and told of: it is nothing that a run may take away.
func TestWhatIsInTheWayOfANode(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files[".causal/nodes/cart.yml/mine.txt"] = "mine\n"
	files["other/other.go"] = "package other\n"
	w := newWorld(t, files)
	for name, from := range w.sources() {
		at := w.open(from)
		told := w.update(at)
		if data, err := at.Files.Read("docs/causal/modules/other.md"); err != nil || len(data) == 0 {
			t.Errorf("%s: another page is not written: %v", name, err)
		}
		if len(told.Blocked) != 1 || told.Blocked[0].Node != "cart" || !strings.Contains(told.Blocked[0].Because, ".causal/nodes/cart.yml is a directory") {
			t.Errorf("%s: told %+v", name, told.Blocked)
		}
	}
}

// TestAConfigurationThatIsALink checks that a link is refused, because its target may be any file.
func TestAConfigurationThatIsALink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	if err := os.Mkdir(filepath.Join(w.clone, ".causal"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../README.md", filepath.Join(w.clone, store.Config)); err != nil {
		t.Fatal(err)
	}
	w.git(w.clone, "add", store.Config)
	w.git(w.clone, "-c", "user.name=octo", "-c", "user.email=octo@example.com", "commit", "--quiet", "-m", "Link it")
	w.git(w.clone, "push", "--quiet", w.remote.Dir(), "HEAD:refs/heads/main")
	for name, from := range w.sources() {
		_, err := workspace.Open(t.Context(), from)
		if err == nil || !workspace.Mendable(err) || !strings.Contains(err.Error(), store.Config+" is a symbolic link") {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.nothingLeft()
}

// TestRulesOfTheBase: a proposal does not choose the configuration that it is judged by.
func TestRulesOfTheBase(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files[store.Config] = "version: 1\nexclude: [\"cart/**\"]\n"
	w := newWorld(t, files)
	base := w.remote.Head("main")
	head := w.push("wider", map[string]string{store.Config: "version: 1\nexclude: [\"money/**\"]\n"})
	w.git(w.clone, "checkout", "--quiet", head)
	here, elsewhere := w.checkout(), w.checkout()
	here.Base, elsewhere.Base = base, base
	elsewhere.Dir = filepath.Join(t.TempDir(), "shallow")
	w.git(t.TempDir(), "clone", "--quiet", "--depth=1", "--branch=wider", "file://"+w.remote.Dir(), elsewhere.Dir)
	remote := w.mirrored(head)
	remote.Rules, remote.Pull = base, 1
	for name, from := range map[string]workspace.Source{"checkout": here, "shallow checkout": elsewhere, "mirrored": remote} {
		at := w.open(from)
		if !at.Config.Excluded("cart/cart.go") || at.Config.Excluded("money/money.go") || at.Commit.ID != head {
			t.Errorf("%s: commit %s is shown with the configuration %+v", name, at.Commit.ID, at.Config)
		}
	}
	elsewhere.Remote = func(context.Context) (workspace.Remote, error) { return workspace.Remote{}, errors.New("no token") }
	if _, err := workspace.Open(t.Context(), elsewhere); err == nil || !strings.Contains(err.Error(), "no token; let the token read it with `permissions: contents: read`") {
		t.Errorf("a base that cannot be had: %v", err)
	}
}

// TestKeep: the next run begins with what one has learnt whose writing was published, and with nothing of any other's.
func TestKeep(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	from := w.mirrored(w.remote.Head("main"))
	for _, c := range []struct {
		keep bool
		read bool
	}{{keep: false, read: true}, {keep: true, read: true}, {keep: false, read: false}, {keep: false, read: false}} {
		at := w.open(from)
		if report := w.update(at); (report.FilesRead > 0) != c.read {
			t.Errorf("%d files were read, want any: %v", report.FilesRead, c.read)
		}
		if err := at.Close(); err != nil {
			t.Fatal(err)
		}
		end := from.Drop
		if c.keep {
			end = from.Keep
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPlacesThatAreNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	unknown := w.workTree()
	unknown.Revision = "nowhere"
	for name, c := range map[string]struct {
		from workspace.Source
		kind error
	}{
		"no repository":          {workspace.WorkTree{Dir: t.TempDir(), Now: time.Now}, gitstore.ErrNotRepository},
		"no checkout":            {workspace.Checkout{Dir: t.TempDir(), Temp: w.temp}, gitstore.ErrNotRepository},
		"a revision like no one": {unknown, gitstore.ErrUnknownRevision},
	} {
		var place *workspace.PlaceError
		if _, err := workspace.Open(t.Context(), c.from); !errors.As(err, &place) || !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChangedSince(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	first := w.remote.Head("main")
	second := w.push("main", map[string]string{"notes.txt": "Notes.\n", "docs/causal/index.md": "ours\n"})
	w.git(w.clone, "reset", "--quiet", "--hard", second)
	if err := os.WriteFile(filepath.Join(w.clone, "README.md"), []byte("# Store\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	revision := w.workTree()
	revision.Revision = second
	for name, c := range map[string]struct {
		from workspace.Source
		want []string
	}{
		"work tree": {w.workTree(), []string{"README.md", "notes.txt"}},
		"revision":  {revision, []string{"notes.txt"}},
		"mirrored":  {w.mirrored(second), []string{"notes.txt"}},
	} {
		if got, err := w.open(c.from).ChangedSince(t.Context(), first); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
		}
	}
}

func TestWhatIsKeptOfRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	at := w.open(w.workTree())
	if sessions, err := at.Sessions(); err != nil || len(sessions) > 0 {
		t.Errorf("before any run: %v, %v", sessions, err)
	}
	report := w.update(at)
	if sessions, err := at.Sessions(); err != nil || !slices.Equal(sessions, []string{report.Session}) {
		t.Errorf("after the run of %s: %v, %v", report.Session, sessions, err)
	}
	if c, ok, err := at.LastChange(t.Context(), "cart/cart.go"); err != nil || !ok || c.ID != w.remote.Head("main") {
		t.Errorf("cart was last changed by %+v, %v, %v", c, ok, err)
	}
	if _, ok, err := at.LastChange(t.Context()); err != nil || ok {
		t.Errorf("no files were last changed: %v, %v", ok, err)
	}
}
