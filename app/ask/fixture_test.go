package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// shop is a small project.
var shop = map[string]string{
	"go.mod":         "module example.com/shop\n\ngo 1.22\n",
	"money/money.go": "package money\n\nimport \"strconv\"\n\nfunc Parse(s string) (int, error) {\n\treturn strconv.Atoi(s)\n}\n\nfunc Format(n int) string {\n\treturn strconv.Itoa(n)\n}\n",
	"cart/cart.go":   "package cart\n\nimport \"example.com/shop/money\"\n\nfunc Total(s string) int {\n\tn, _ := money.Parse(s)\n\treturn n\n}\n",
	"tax/tax.go":     "// Package tax knows the rates of countries.\npackage tax\n\n// Rate gives the rate of a country in per cent.\nfunc Rate(country string) int {\n\treturn 19\n}\n",
}

// repo is a repository with a model that answers questions about it.
type repo struct {
	*testing.T
	dir      string
	behave   func(r prompt.Request) (prompt.Response, error)
	requests []prompt.Request
	dropped  []prompt.Dropped
	notes    []string
	events   []string
	id       int
}

func newRepo(t *testing.T, more map[string]string) *repo {
	t.Helper()
	r := &repo{T: t, dir: t.TempDir()}
	for _, files := range []map[string]string{shop, more} {
		for name, text := range files {
			r.write(name, text)
		}
	}
	r.git("init", "--quiet", "--initial-branch=main", "--template=")
	r.git("add", "--all")
	r.git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message=Begin")
	r.update()
	return r
}

// update brings the nodes and pages up to date.
func (r *repo) update() {
	r.Helper()
	w, err := workspace.Open(r.Context(), workspace.WorkTree{Dir: r.dir, Now: time.Now})
	if err == nil {
		_, err = w.Update(r.Context(), workspace.SpecsRun{})
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		r.Fatal(err)
	}
}

func (r *repo) git(args ...string) string {
	r.Helper()
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false", "-c", "core.fsync=none"}, args...)...)
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (r *repo) write(name, text string) {
	r.Helper()
	name = filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *repo) replace(name, old, text string) {
	r.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil || !strings.Contains(string(data), old) {
		r.Fatalf("%q is not in %s: %v", old, name, err)
	}
	r.write(name, strings.Replace(string(data), old, text, 1))
}

// Complete implements prompt.Model.
func (r *repo) Complete(_ context.Context, q prompt.Request) (prompt.Response, error) {
	r.requests = append(r.requests, q)
	return r.behave(q)
}

// with runs fn over the repository as it is now.
func (r *repo) with(fn func(a *ask.Asker) error) error {
	r.Helper()
	w, err := workspace.Open(r.Context(), workspace.WorkTree{Dir: r.dir, Now: time.Now})
	if err != nil {
		r.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	e, err := w.Look()
	if err != nil {
		r.Fatal(err)
	}
	a, err := ask.New(r.Context(), w, e)
	if err != nil {
		r.Fatal(err)
	}
	if r.behave != nil {
		a.Model = r
	}
	a.Drop = func(_ string, list ...prompt.Dropped) { r.dropped = append(r.dropped, list...) }
	a.Note = func(text string) { r.notes = append(r.notes, text) }
	a.Event = func(text string) { r.events = append(r.events, text) }
	return fn(a)
}

// ask asks a question in a separate run, and in a new session unless it names one.
func (r *repo) ask(q ask.Question) *ask.Answer {
	r.Helper()
	out, err := r.tryAsk(q)
	if err != nil {
		r.Fatal(err)
	}
	return out
}

func (r *repo) tryAsk(q ask.Question) (*ask.Answer, error) {
	r.Helper()
	r.requests, r.dropped, r.notes, r.events = nil, nil, nil, nil
	if r.id++; q.Session == "" && q.Resume == "" {
		q.Session = fmt.Sprintf("s%d", r.id)
	}
	if q.Depth == 0 {
		q.Depth = ask.MaxDepth
	}
	var out *ask.Answer
	err := r.with(func(a *ask.Asker) (err error) {
		out, err = a.Ask(r.Context(), q)
		return err
	})
	return out, err
}

// first is the first message of a request.
func first(q prompt.Request) string { return q.Turns[0].Text }

// step counts the steps of a conversation before a request.
func step(q prompt.Request) int { return len(q.Turns) / 2 }

// script is a model that takes these steps in each frame; the last one is repeated.
func script(steps ...prompt.Response) func(prompt.Request) (prompt.Response, error) {
	return func(q prompt.Request) (prompt.Response, error) { return steps[min(step(q), len(steps)-1)], nil }
}

// call is the step that calls a tool.
func call(name string, arguments map[string]any) prompt.Response {
	data, err := json.Marshal(arguments)
	if err != nil {
		panic(err)
	}
	return prompt.Response{Calls: []prompt.Call{{ID: "c", Name: name, Arguments: data}}}
}

// claim is a sentence with its cites.
func claim(text string, cites ...string) grounding.Claim {
	return grounding.Claim{Text: text, Cites: cites}
}

// answers is the step that answers.
func answers(confidence float64, claims ...grounding.Claim) prompt.Response {
	data, err := json.Marshal(map[string]any{"answer": claims, "confidence": confidence, "open": []string{}})
	if err != nil {
		panic(err)
	}
	return prompt.Response{Answer: data}
}

func read(file string, from, to int) prompt.Response {
	return call("read", map[string]any{"path": file, "from": from, "to": to})
}

var (
	readMoney = read("money/money.go", 1, 11)
	told      = answers(0.9, claim("`Parse` reads the amount with `strconv.Atoi`.", "money/money.go:5-7"))
)
