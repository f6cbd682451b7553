package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/programtest"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// socketsAreRefused reports whether this system takes sockets away.
var socketsAreRefused bool

// TestMain makes the test binary a child that misbehaves when it is started as one.
func TestMain(m *testing.M) {
	if IsChild() {
		misbehave(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// obedient is a Runner whose children do their work.
func obedient(tb testing.TB) *Runner {
	tb.Helper()
	return &Runner{Command: []string{programtest.Build(tb)}, Limits: DefaultLimits(), Say: func(_ context.Context, said string) { tb.Log(said) }}
}

// remote is a repository with one commit, and a server's mirror of it.
type remote struct {
	repo   *githubsim.Repository
	task   Task
	mirror *gitstore.Mirror
	token  func(context.Context) (string, error)
}

func newRemote(t testing.TB, files map[string]string) *remote {
	t.Helper()
	sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	repo, err := sim.CreateRepository("octo/shop", githubsim.FromFiles(files))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	token := func(context.Context) (string, error) { return sim.Token("octo"), nil }
	mirror, err := workspace.OpenMirror(t.Context(), dir, workspace.Remote{URL: repo.CloneURL(), Token: token})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mirror.Close() })
	head := repo.Head("main")
	return &remote{repo, Task{Dir: dir, URL: repo.CloneURL(), Commit: head, Rules: head, Branch: "main"}, mirror, token}
}

var shop = map[string]string{
	"go.mod":         "module example.com/shop\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n",
	"cart/cart.go":   "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\nfunc Total() money.Amount { return 0 }\n",
}

// TestAChildSaysWhatARunWould: nothing of a result is lost on its way.
func TestAChildSaysWhatARunWould(t *testing.T) {
	t.Parallel()
	r := newRemote(t, shop)
	got, err := obedient(t).Run(t.Context(), r.task, r.mirror)
	if err != nil {
		t.Fatal(err)
	}
	here := r.task
	here.Dir = t.TempDir()
	w, err := workspace.Open(t.Context(), workspace.Mirrored{Dir: here.Dir, Remote: workspace.Remote{URL: here.URL, Token: r.token}, Commit: here.Commit, Rules: here.Rules, Branch: here.Branch})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	k, err := w.Engine()
	if err != nil {
		t.Fatal(err)
	}
	a := &analysis{task: here, workspace: w, knowledge: k}
	if a.report, err = k.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	want, err := a.result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Write) < 5 || want.Frames == "" || len(want.Report.Units) == 0 {
		t.Fatalf("a run says %+v", want)
	}
	said, run := flat(t, got), flat(t, want)
	for key := range run {
		if !reflect.DeepEqual(said[key], run[key]) {
			t.Errorf("%s: a child says\n%v\na run\n%v", key, said[key], run[key])
		}
	}
}

// flat is a result without the difference between nothing and an empty list.
func flat(t *testing.T, r *Result) (out map[string]any) {
	t.Helper()
	data, err := json.Marshal(r)
	if err == nil {
		data = bytes.ReplaceAll(data, []byte("null"), []byte("[]"))
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// misbehave is what children do that the parent must survive.
func misbehave(how string) {
	if how == "is killed at once" {
		beKilled()
	}
	m, err := receive(os.Stdin)
	if err != nil || m.Task == nil {
		os.Exit(3)
	}
	if err := confined(m.Task.Limits); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
	say := func(m message) {
		if err := send(os.Stdout, m); err != nil {
			os.Exit(5)
		}
	}
	fine := &Result{Report: &report.Update{}, Bot: config.Bot{Mode: "commit"}, Docs: "docs/causal"}
	say(message{At: "in web/b.js"})
	switch how {
	case "hangs":
		select {}
	case "crashes":
		panic("at the disco")
	case "eats":
		for all := []byte{1}; ; all = append(all, all...) {
			all[len(all)/2] = 2
		}
	case "is killed":
		beKilled()
	case "is killed after the result":
		say(message{Result: fine})
		beKilled()
	case "is killed in a sentence":
		_, _ = os.Stdout.WriteString("\x00\x00\x00\xffhello")
		beKilled()
	case "babbles":
		for {
			say(message{At: "in x"})
		}
	case "garbles":
		_, _ = os.Stdout.WriteString("\x00\x00\x00\x05hello")
	case "boasts":
		_, _ = os.Stdout.WriteString("\xff\xff\xff\xffhello")
	case "lingers":
		say(message{Result: fine})
		select {}
	case "is silent":
	case "asks for blobs":
		say(message{Ask: &ask{Call: callBlobs}})
		select {}
	case "asks for anything":
		say(message{Ask: &ask{Call: "shell", IDs: []string{"rm -rf /"}}})
		_, _ = receive(os.Stdin)
	case "asks for a tag of nothing":
		say(message{Ask: &ask{Call: callTag}})
		_, _ = receive(os.Stdin)
	case "leaves the directory":
		fine.Write = []string{"docs/causal/../../.github/workflows/x.yml"}
		say(message{Result: fine})
	case "takes the root":
		fine.Docs, fine.Write = ".", []string{"main.go"}
		say(message{Result: fine})
	case "writes source":
		fine.Write = []string{"main.go"}
		say(message{Result: fine})
	case "writes the configuration":
		fine.Write = []string{".causal/config.yml"}
		say(message{Result: fine})
	case "has anything signed":
		say(message{Ask: &ask{Call: callSign, Text: []byte("a cheque")}})
		_, _ = receive(os.Stdin)
	case "ignores for nothing":
		fine.Report = nil
		say(message{Result: fine})
	case "covers nothing":
		fine.Covered = true
		say(message{Result: fine})
	case "opens a socket":
		_, err := net.Dial("tcp", "127.0.0.1:9")
		say(message{Failed: &failed{Text: fmt.Sprint(err)}})
	case "shows its environment":
		say(message{Failed: &failed{Text: strings.Join(os.Environ(), "\n")}})
	}
}

// beKilled ends this process as somebody else would.
func beKilled() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// TestChildrenThatMisbehave end, and the parent says how.
func TestChildrenThatMisbehave(t *testing.T) {
	t.Setenv("CAUSAL_GITHUB_PRIVATE_KEY", "secret") // a child must not see it
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for how, want := range map[string]string{
		"hangs":                      "analysis stopped after 1 s", // perhaps before it said what it is at
		"crashes":                    "analysis stopped by a crash in web/b.js",
		"eats":                       "analysis stopped after using 128 MB of memory in web/b.js",
		"is killed":                  "the analysis was killed: signal: killed",
		"is killed at once":          "the analysis was killed: signal: killed",
		"is killed in a sentence":    "the analysis was killed: signal: killed",
		"is killed after the result": "the analysis was killed: signal: killed",
		"babbles":                    "analysis stopped by an internal error in x",
		"garbles":                    "analysis stopped by an internal error in web/b.js",
		"boasts":                     "analysis stopped by an internal error in web/b.js",
		"lingers":                    "analysis stopped by an internal error in web/b.js",
		"is silent":                  "analysis stopped by a crash in web/b.js",
		"asks for anything":          "analysis stopped by an internal error in web/b.js",
		"asks for a tag of nothing":  "analysis stopped by an internal error in web/b.js",
		"has anything signed":        "analysis stopped by an internal error in web/b.js",
		"leaves the directory":       "analysis stopped by an internal error in web/b.js",
		"takes the root":             "analysis stopped by an internal error in web/b.js",
		"writes source":              "analysis stopped by an internal error in web/b.js",
		"ignores for nothing":        "analysis stopped by an internal error in web/b.js",
		"covers nothing":             "analysis stopped by an internal error in web/b.js",
		"writes the configuration":   "analysis stopped by an internal error in web/b.js",
	} {
		t.Run(how, func(t *testing.T) {
			r := &Runner{
				Command: []string{self, "misbehave", how}, Limits: Limits{Time: time.Minute, Memory: 128 << 20},
				Say: func(_ context.Context, said string) { t.Log(said) },
			}
			if how == "hangs" {
				r.Limits.Time = time.Second
			}
			result, err := r.Run(t.Context(), Task{Rules: strings.Repeat("0", 1<<20), Signer: signerOf(t, 1)}, nil) // more than a pipe takes that nobody reads
			if result != nil || err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, %v; want %s", result, err, want)
			}
			var stopped *StoppedError
			if again := strings.HasPrefix(how, "is killed"); errors.As(err, &stopped) == again || errors.Is(err, ErrKilled) != again {
				t.Errorf("tried again: %v", !errors.As(err, &stopped))
			}
		})
	}
}

// TestWhatAChildCannotDo holds to what a child is without. On other systems it has no fewer sockets than the parent.
func TestWhatAChildCannotDo(t *testing.T) {
	t.Setenv("CAUSAL_GITHUB_PRIVATE_KEY", "secret")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(how string) string {
		r := &Runner{Command: []string{self, "misbehave", how}, Limits: Limits{Time: time.Minute, Memory: 256 << 20}}
		_, err := r.Run(t.Context(), Task{}, nil)
		if err == nil {
			t.Fatal(how)
		}
		return err.Error()
	}
	if env := ask("shows its environment"); strings.Contains(env, "secret") || strings.Contains(env, "CAUSAL_GITHUB") || !strings.Contains(env, "PATH=") {
		t.Errorf("a child sees\n%s", env)
	}
	if !socketsAreRefused {
		t.Skip("this system cannot take sockets away")
	}
	if said := ask("opens a socket"); !strings.Contains(said, "permission denied") {
		t.Errorf("a socket: %s", said)
	}
}

// TestAChildEndsWithTheRun: a server that stops leaves nothing behind.
func TestAChildEndsWithTheRun(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("the server stops")
	r := &Runner{Command: []string{self, "misbehave", "asks for blobs"}, Limits: Limits{Time: time.Minute, Memory: 128 << 20}}
	origin := stopper{func() { cancel(over) }}
	if _, err := r.Run(ctx, Task{}, origin); !errors.Is(err, over) {
		t.Errorf("%v, want that %v", err, over)
	}
}

// stopper is an Origin that has somebody stop the run.
type stopper struct{ stop func() }

func (s stopper) Fetch(ctx context.Context, _ ...string) error {
	s.stop()
	return ctx.Err()
}
func (s stopper) FetchBlobs(ctx context.Context, _ ...string) error          { return s.Fetch(ctx) }
func (s stopper) Mend(ctx context.Context) error                             { return s.Fetch(ctx) }
func (s stopper) MergeBase(ctx context.Context, _, _ string) (string, error) { return "", s.Fetch(ctx) }
func (s stopper) Contains(ctx context.Context, _, _ string) (bool, error)    { return false, s.Fetch(ctx) }
func (s stopper) Tag(ctx context.Context, _, _ string) (gitstore.Tag, error) {
	return gitstore.Tag{}, s.Fetch(ctx)
}

// TestErrorsOfTheOrigin are told as the parent knows them, and not in the words of a child.
func TestErrorsOfTheOrigin(t *testing.T) {
	t.Parallel()
	r := newRemote(t, shop)
	for _, want := range []error{gitstore.ErrGone, gitstore.ErrUnavailable, errors.New("wait for an hour")} {
		_, err := Here(t.Context(), r.task, broken{r.mirror, want})
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
}

// broken is an Origin that cannot fetch blobs.
type broken struct {
	*gitstore.Mirror

	err error
}

func (b broken) FetchBlobs(context.Context, ...string) error { return b.err }

// TestRefusals are for the repository's people to read.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for says, files := range map[string]map[string]string{
		".causal/config.yml:1: unknown key": {".causal/config.yml": "brunch: main\n"},
		"docs has to be a directory":        {"docs": "a file"},
	} {
		r := newRemote(t, files)
		_, err := Here(t.Context(), r.task, r.mirror)
		var refused *RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}

// TestIgnored: what the parent is told of a pull request that is ignored, it decides by again.
func TestIgnored(t *testing.T) {
	t.Parallel()
	drafts := config.Bot{Mode: "commit", Ignore: config.Ignore{Drafts: true}}
	draft := Task{Pull: &Pull{Number: 1, Traits: &config.Traits{Draft: true}}}
	for name, c := range map[string]struct {
		task   Task
		result Result
		passes bool
	}{
		"a draft":               {draft, Result{Bot: drafts, Docs: "docs"}, true},
		"with files":            {draft, Result{Bot: drafts, Docs: "docs", Write: []string{"docs/a.md"}}, false},
		"pages of the root":     {draft, Result{Bot: drafts, Docs: ".."}, false},
		"it may not be ignored": {Task{Pull: &Pull{Number: 1}}, Result{Bot: drafts, Docs: "docs"}, false},
		"it is a branch":        {Task{}, Result{Bot: drafts, Docs: "docs"}, false},
		"no rule":               {draft, Result{Bot: config.Bot{Mode: "commit"}, Docs: "docs"}, false},
		"no mode":               {draft, Result{Bot: config.Bot{Ignore: drafts.Ignore}, Docs: "docs"}, false},
	} {
		if err := c.result.check(c.task); (err == nil) != c.passes {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCandidates are told of by who was asked, and are principles.
func TestCandidates(t *testing.T) {
	t.Parallel()
	asked := Task{Asking: &Asking{}}
	of := func(c report.Candidates) Result {
		return Result{Bot: config.Bot{Mode: "commit"}, Docs: "docs", Candidates: &c}
	}
	fine := report.Candidates{List: []report.Candidate{{Slug: "lint-x"}}, Decided: []string{"lint-y"}, Left: 1}
	more := of(fine)
	more.Report = &report.Update{}
	for name, c := range map[string]struct {
		task   Task
		result Result
		passes bool
	}{
		"principles":       {asked, of(fine), true},
		"nobody is asked":  {asked, Result{Bot: config.Bot{Mode: "commit"}, Docs: "docs"}, true},
		"nobody asked":     {Task{}, of(fine), false},
		"with a report":    {asked, more, false},
		"a path":           {asked, of(report.Candidates{List: []report.Candidate{{Slug: "../config"}}}), false},
		"a path, decided":  {asked, of(report.Candidates{Decided: []string{"a/b"}}), false},
		"a negative count": {asked, of(report.Candidates{Left: -1}), false},
	} {
		if err := c.result.check(c.task); (err == nil) != c.passes {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func signerOf(t *testing.T, n byte) *ledger.Signer {
	t.Helper()
	s, err := ledger.SignerOf(bytes.Repeat([]byte{n}, 32), "causal[bot]")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSigner: a child has checkpoints signed by a key that it does not have, and publishes no other.
func TestSigner(t *testing.T) {
	t.Parallel()
	const says = "Ship on Fridays."
	r := newRemote(t, shop)
	r.task.Signer = signerOf(t, 1)
	r.task.Pull = &Pull{Number: 1, Lands: true}
	r.task.Say = []workspace.Saying{{Draft: reasoning.Draft{Type: ledger.Proposition, Text: says, Actor: "ada"}}}
	got, err := Here(t.Context(), r.task, r.mirror)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := workspace.Mirrored{Dir: r.task.Dir, Branch: "main", Pull: 1}.Scratch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dir.Close() })
	key := r.task.Signer.KeyFile()
	checkpoint := slices.IndexFunc(got.Write, ledger.IsCheckpoint)
	if !slices.Contains(got.Write, key.Path) || checkpoint < 0 {
		t.Fatalf("written are %v, without the key or a checkpoint", got.Write)
	}
	whole, err := ledger.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if held, err := whole.Hold(dir, ledger.Outside{}); err != nil || len(whole.Problems) > 0 || len(held.Best) != 1 || held.Best[0].Path != got.Write[checkpoint] {
		t.Errorf("%+v, %v, %v", held, whole.Problems, err)
	}
	r.task.Signer = signerOf(t, 2)
	if err := got.check(r.task); err == nil {
		t.Error("the key of somebody else passes")
	}
}

// TestSignaturesAreFew: what asks for more of them than a task needs is no child of ours.
func TestSignaturesAreFew(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	if _, err := log.Add(ledger.Event{Type: ledger.Proposition, Text: "Ship on Fridays."}); err != nil {
		t.Fatal(err)
	}
	var text []byte
	asked, err := ledger.SignerElsewhere(signerOf(t, 1).Key(), func(checkpoint []byte) ([]byte, error) {
		text = checkpoint
		return signerOf(t, 1).SignCheckpoint(checkpoint)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := log.Checkpoint(asked); !ok || err != nil {
		t.Fatal(ok, err)
	}
	s := server{signer: signerOf(t, 1)}
	for n := range mostSign + 1 {
		if _, err := s.serve(t.Context(), ask{Call: callSign, Text: text}); (err == nil) != (n < mostSign) {
			t.Errorf("request %d: %v", n+1, err)
		}
	}
	if _, err := (&server{}).serve(t.Context(), ask{Call: callSign, Text: text}); err == nil {
		t.Error("something is signed without a key")
	}
}

// FuzzReceive: whatever comes over the pipe is a message or an error.
func FuzzReceive(f *testing.F) {
	var b bytes.Buffer
	if err := send(&b, message{Result: &Result{Report: &report.Update{}, Bot: config.Bot{Mode: "commit"}, Docs: "docs", Write: []string{"docs/a.md"}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := receive(bytes.NewReader(data))
		if err == nil && m.Result != nil && m.Result.check(Task{}) == nil {
			for _, name := range slices.Concat(m.Result.Write, m.Result.Remove) {
				if !filepath.IsLocal(name) || strings.Contains(name, ".git/") {
					t.Errorf("%q passes", name)
				}
			}
		}
	})
}
