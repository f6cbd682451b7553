package bot_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
	"github.com/causaldocs/causal/app/programtest"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/testmode"
	"github.com/causaldocs/causal/webhooks/logctx"
	"github.com/causaldocs/causal/webhooks/queue"
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

// widened is money.go with an Amount that its users see otherwise.
var widened = strings.Replace(shop["money/money.go"], "type Amount int64", "type Amount uint64", 1)

// TestMain keeps the user's git configuration out of the tests, and collects garbage as seldom as a child does.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_AUTHOR_NAME": "octo", "GIT_AUTHOR_EMAIL": "octo@example.com",
		"GIT_COMMITTER_NAME": "octo", "GIT_COMMITTER_EMAIL": "octo@example.com",
		"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false", "GIT_CONFIG_KEY_1": "core.fsync", "GIT_CONFIG_VALUE_1": "none",
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(1 << 30)
	os.Exit(m.Run())
}

// fixture is a simulated GitHub with one repository, and a bot that is installed there.
type fixture struct {
	*testing.T
	sim          *githubsim.Server
	repo         *githubsim.Repository
	files        map[string]string // of the first commit
	installation int64
	dir          string
	bot          *bot.Bot
	config       bot.Config
	commits      int // that the bot is said to have made within an hour
	runs         int64
	last         string // the head that the last run of the branch has left
	log          bytes.Buffer
	through      func(bot.Client) bot.Client // wraps the bot's client; nil for none
	asks         []queue.Subject             // requested jobs
	slept        func()                      // called when the bot waits; nil when it is not to
	stopped      error                       // the error of every child process; nil to run it
	analyse      func(context.Context, sandbox.Task, sandbox.Origin) (*sandbox.Result, error)
}

// real has the fixture do the next runs as a server does: in a child process, from a mirror that is fetched over HTTP.
func (f *fixture) real() {
	f.Helper()
	children := &sandbox.Runner{
		Command: []string{programtest.Build(f.T)}, Limits: sandbox.DefaultLimits(), Say: func(_ context.Context, said string) { f.Log(said) },
	}
	f.analyse = children.Run
}

// here runs a task in this process. The mirror borrows the simulator's objects, so nothing is fetched.
func (f *fixture) here(ctx context.Context, task sandbox.Task, origin sandbox.Origin) (*sandbox.Result, error) {
	objects := filepath.Join(f.repo.Dir(), "objects")
	for _, cache := range []string{"content.git", "history.git"} {
		info := filepath.Join(task.Dir, "mirror", cache, "objects", "info")
		if err := errors.Join(os.MkdirAll(info, 0o755), os.WriteFile(filepath.Join(info, "alternates"), []byte(objects+"\n"), 0o644)); err != nil {
			return nil, err
		}
	}
	return sandbox.Here(ctx, task, lending{origin, objects})
}

// lending is the Origin of a mirror that borrows objects and fetches missing ones.
type lending struct {
	sandbox.Origin
	objects string
}

func (l lending) Fetch(ctx context.Context, commits ...string) error {
	if commits = l.absent(commits); len(commits) == 0 {
		return nil
	}
	return l.Origin.Fetch(ctx, commits...)
}

func (l lending) FetchBlobs(ctx context.Context, ids ...string) error {
	if ids = l.absent(ids); len(ids) == 0 {
		return nil
	}
	return l.Origin.FetchBlobs(ctx, ids...)
}

func (l lending) absent(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		_, err := os.Stat(filepath.Join(l.objects, id[:2], id[2:]))
		return err == nil
	})
}

func setup(t *testing.T, files map[string]string) *fixture {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{T: t, sim: sim, dir: t.TempDir(), files: files}
	f.analyse = f.here
	t.Cleanup(func() {
		for _, v := range sim.Violations() {
			t.Errorf("outside of GitHub's description: %s", v)
		}
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	f.repo = must(f, func() (*githubsim.Repository, error) {
		if len(files) == 0 {
			return sim.CreateRepository("octo/shop", githubsim.Empty())
		}
		return sim.CreateRepository("octo/shop", githubsim.FromFiles(files))
	})
	f.installation = must(f, func() (int64, error) { return sim.Install(f.repo) })
	app := must(f, func() (*github.App, error) {
		return github.NewApp(github.Config{ID: sim.App().ID, PrivateKey: []byte(sim.App().PEM()), Options: github.Options{BaseURL: sim.URL()}})
	})
	f.config = bot.Config{
		Run: func(ctx context.Context, task sandbox.Task, origin sandbox.Origin) (*sandbox.Result, error) {
			if f.stopped != nil {
				return nil, f.stopped
			}
			return f.analyse(ctx, task, origin)
		},
		Open: func(ctx context.Context, installation, repository int64, permissions github.Permissions) (bot.Client, error) {
			c, err := app.Installation(ctx, installation, repository, permissions)
			if err != nil || f.through == nil {
				return c, err
			}
			return f.through(c), nil
		},
		Dir: f.dir, Secret: []byte("secret"), Now: time.Now, Sleep: f.sleep, Logger: slog.New(logctx.Handler(slog.NewTextHandler(&f.log, nil))),
		Signer: func(repository int64) (*ledger.Signer, error) {
			return ledger.SignerOf(bytes.Repeat([]byte{byte(repository)}, 32), "causal[bot]")
		},
		Commits: func(context.Context, string, time.Time) (int, error) { return f.commits, nil },
		Lacks:   app.Lacks,
		Forget:  app.Forget,
		Reopen:  app.Reopen,
		Last:    func(context.Context, string) (string, error) { return f.last, nil },
		Ask: func(_ context.Context, _ string, s queue.Subject) error {
			f.asks = append(f.asks, s)
			return nil
		},
		RunsURL: func(s queue.Subject) string {
			return "https://causal.example.com/runs?repository=" + s.Owner + "/" + s.Name
		},
	}
	f.bot = bot.New(f.config)
	return f
}

// renew replaces the server with one without stored state.
func (f *fixture) renew() {
	f.config.Dir = f.TempDir()
	f.bot = bot.New(f.config)
}

// sleep takes no time.
func (f *fixture) sleep(context.Context, time.Duration) error {
	if f.slept == nil {
		f.Error("the bot waits")
		return nil
	}
	f.slept()
	return nil
}

func must[T any](f *fixture, fn func() (T, error)) T {
	f.Helper()
	got, err := fn()
	if err != nil {
		f.Fatal(err)
	}
	return got
}

func (f *fixture) subject() queue.Subject {
	return queue.Subject{Installation: f.installation, Repository: f.repo.ID(), Owner: "octo", Name: "shop"}
}

// branch has the bot bring main up to date.
func (f *fixture) branch() (queue.Outcome, error) {
	s := f.subject()
	s.Ref = "refs/heads/main"
	f.runs++
	out, err := f.bot.Handle(f.Context(), queue.Job{Subject: s, Run: f.runs, Attempt: 1, Attempts: 12})
	if err == nil {
		f.last = cmp.Or(out.Reached, out.Head, f.last)
	}
	return out, err
}

// pull has the bot look at a pull request.
func (f *fixture) pull(number int) queue.Outcome {
	f.Helper()
	s := f.subject()
	s.Pull = number
	f.runs++
	return must(f, func() (queue.Outcome, error) {
		return f.bot.Handle(f.Context(), queue.Job{Subject: s, Run: f.runs, Attempt: 1, Attempts: 12})
	})
}

// concludes updates main and checks the conclusion.
func (f *fixture) concludes(conclusion string) queue.Outcome {
	f.Helper()
	out := must(f, f.branch)
	if out.Conclusion != conclusion {
		f.Fatalf("the run ended as %q (%s), want %q", out.Conclusion, out.Title, conclusion)
	}
	return out
}

// first is the first run for a repository's files.
type first struct {
	sync.Mutex
	files map[string]string // on main after it
}

var firsts sync.Map // a *first by the files of the repository

// documented brings main to the state that the bot's first run leaves. Fixtures of the same files share one such run.
func (f *fixture) documented() {
	f.Helper()
	known, _ := firsts.LoadOrStore(fmt.Sprint(f.files), &first{})
	run := known.(*first)
	run.Lock()
	defer run.Unlock()
	if run.files == nil {
		f.concludes(bot.Updated)
		run.files = f.content("main", "")
		return
	}
	change := githubsim.Change{Write: run.files, Message: "docs: update", Login: "causal[bot]"}
	f.last = must(f, func() (string, error) { return f.repo.Push("main", change) })
}

// content returns the files below a directory at the head of a branch.
func (f *fixture) content(branch, dir string) map[string]string {
	f.Helper()
	files := map[string]string{}
	for _, name := range must(f, func() ([]string, error) { return f.repo.Files(branch) }) {
		if strings.HasPrefix(name, dir) {
			files[name], _ = f.repo.Read(branch, name)
		}
	}
	return files
}

// push commits files to a branch.
func (f *fixture) push(branch string, files map[string]string) string {
	f.Helper()
	return must(f, func() (string, error) {
		return f.repo.Push(branch, githubsim.Change{Write: files, Message: "Change it"})
	})
}

func (f *fixture) detail(out queue.Outcome) bot.Detail {
	f.Helper()
	var d bot.Detail
	if err := json.Unmarshal(out.Detail, &d); err != nil {
		f.Fatal(err)
	}
	return d
}

// check is the one check run of a commit.
func (f *fixture) check(commit string) githubsim.CheckRun {
	f.Helper()
	runs := f.repo.CheckRuns(commit)
	if len(runs) != 1 {
		f.Fatalf("%d check runs on %s: %+v", len(runs), commit, runs)
	}
	return runs[0]
}

// sameAsACleanRun compares main with a clean run in a clone.
func (f *fixture) sameAsACleanRun() {
	f.Helper()
	dir := filepath.Join(f.TempDir(), "clone")
	f.git(f.TempDir(), "clone", "-q", "--shared", f.repo.Dir(), dir)
	have := owned(f, dir)
	for _, own := range []string{".causal/nodes", ".causal/frames", "docs/causal"} {
		if err := os.RemoveAll(filepath.Join(dir, own)); err != nil {
			f.Fatal(err)
		}
	}
	world := cli.IO{Out: io.Discard, Err: io.Discard, Getenv: os.Getenv, Now: time.Now, Dir: dir}
	if code := cli.Run(f.Context(), []string{"update"}, world); code != cli.ExitClean {
		f.Fatalf("a clean run ended with %d", code)
	}
	want := owned(f, dir)
	if !maps.Equal(have, want) {
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if have[name] != want[name] {
				f.Errorf("%s is\n%s\na clean run writes\n%s", name, have[name], want[name])
			}
		}
		f.Fatalf("published are %v, a clean run writes %v", slices.Sorted(maps.Keys(have)), slices.Sorted(maps.Keys(want)))
	}
}

// provenance are the lines that say when something was last verified.
var provenance = []string{"last_verified: ", "commit: ", "frame_id: ", "  hash: ", "  at: ", "  lines: "}

// owned reads nodes and pages without what says when they were verified.
func owned(f *fixture, dir string) map[string]string {
	f.Helper()
	out := map[string]string{}
	for _, top := range []string{".causal/nodes", "docs/causal"} {
		_ = filepath.WalkDir(filepath.Join(dir, top), func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(p)
			var kept []string
			for line := range strings.SplitSeq(string(data), "\n") {
				if !slices.ContainsFunc(provenance, func(prefix string) bool { return strings.HasPrefix(line, prefix) }) {
					kept = append(kept, line)
				}
			}
			rel, _ := filepath.Rel(dir, p)
			out[filepath.ToSlash(rel)] = strings.Join(kept, "\n")
			return err
		})
	}
	return out
}

func (f *fixture) git(dir string, args ...string) {
	f.Helper()
	f.feed(dir, "", args...)
}

// feed runs git with an input.
func (f *fixture) feed(dir, input string, args ...string) {
	f.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		f.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// tells handles a pull request after a push, and expects at most four writes. With CAUSAL_LONG=1, another look must write nothing.
func (f *fixture) tells(number int) {
	f.Helper()
	before := len(f.sim.Writes(f.repo))
	if out := f.pull(number); out.Conclusion != bot.Told {
		f.Fatalf("%+v", out)
	}
	if writes := f.sim.Writes(f.repo)[before:]; len(writes) > 4 {
		f.Errorf("%d writes for one push: %v", len(writes), writes)
	}
	if testmode.Long() {
		f.rests(number)
	}
}

// rests handles a pull request again, and expects no write.
func (f *fixture) rests(number int) {
	f.Helper()
	before := len(f.sim.Writes(f.repo))
	f.pull(number)
	if writes := f.sim.Writes(f.repo)[before:]; len(writes) > 0 {
		f.Errorf("%d writes although nothing changed: %v", len(writes), writes)
	}
}
