package checkout

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/proof/hostile"
)

// Outcome is the result of an attack.
type Outcome struct {
	Left   string   // why it could not be tried; empty when it was
	Faults []string // violated rules
	Runs   []Run
}

// Run is a run of the program.
type Run struct {
	Args []string
	Code int
	Peak int64 // peak memory in bytes; 0 if unknown

	out, talk string
	err       error // it was killed or did not start
}

func (r Run) String() string { return "causal " + strings.Join(r.Args, " ") }

// patience is how long a run may take. It is the job's own limit on a server, four times over.
const patience = 4 * time.Minute

// try is a checked-out attack with its outcome.
type try struct {
	*Yard

	program Program
	attack  hostile.Attack
	root    string // all of it; nothing below is anybody else's
	clone   string // a clone of the attack's branch
	work    string // the runner's, with the merge of the pull request
	Outcome

	gitFails bool // git status fails in the checkout
}

// Try runs an attack. It removes the files unless there are faults.
func (y *Yard) Try(ctx context.Context, a hostile.Attack) (Outcome, error) {
	return y.with(ctx, y.program, a)
}

// with runs an attack on a program.
func (y *Yard) with(ctx context.Context, program Program, a hostile.Attack) (Outcome, error) {
	number, pull, err := y.propose(ctx, a)
	t := &try{Yard: y, program: program, attack: a, root: filepath.Join(y.dir, fmt.Sprintf("try-%d", number))}
	if err == nil {
		err = t.checkOut(ctx, pull)
	}
	var not impossible
	switch {
	case errors.As(err, &not):
		t.Left, err = not.Error(), nil
	case err == nil:
		err = errors.Join(t.commands(ctx), t.action(ctx, pull))
	}
	if err == nil && len(t.Faults) == 0 {
		err = os.RemoveAll(t.root)
	}
	return t.Outcome, err
}

// checkOut makes both checkouts, deep enough for relative links that lead several directories up to stay below the root.
func (t *try) checkOut(ctx context.Context, pull githubsim.Pull) error {
	deep := filepath.Join(t.root, "a", "b", "c", "d")
	t.clone, t.work = filepath.Join(deep, "clone"), filepath.Join(deep, "work")
	for _, dir := range []string{"a/b/c/d/beside", "home/.config/git", "tmp", "runner"} {
		if err := os.MkdirAll(filepath.Join(t.root, dir), 0o755); err != nil {
			return err
		}
	}
	for _, name := range []string{"note.txt", "a/note.txt", "a/b/c/d/note.txt", "a/b/c/d/beside/note.txt", "home/.gitconfig", "home/.config/git/config"} {
		if err := os.WriteFile(filepath.Join(t.root, name), []byte("# mine\n"), 0o644); err != nil {
			return err
		}
	}
	for dir, from := range map[string][3]string{
		t.clone: {t.fork.Dir(), "refs/heads/" + strings.TrimPrefix(pull.Head, "mallory:"), "--depth=2"}, // a review needs the base
		t.work:  {t.repo.Dir(), fmt.Sprintf("refs/pull/%d/merge", pull.Number), "--depth=1"},
	} {
		for _, args := range [][]string{
			{"init", "--quiet", "--initial-branch=main", dir}, {"-C", dir, "remote", "add", "origin", t.repo.CloneURL()},
			{"-C", dir, "fetch", "--quiet", from[2], "file://" + from[0], from[1]}, {"-C", dir, "checkout", "--quiet", "--detach", "FETCH_HEAD"},
		} {
			if _, err := git(ctx, deep, t.environment(), args...); err != nil && args[2] == "checkout" {
				return impossible{"git cannot check it out", err}
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *try) environment() []string {
	home := filepath.Join(t.root, "home")
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, ".config"), "TMPDIR=" + filepath.Join(t.root, "tmp"),
		"GIT_CONFIG_NOSYSTEM=1",
	}
}

// run runs the program, and checks its output and exit code.
func (t *try) run(ctx context.Context, dir string, env []string, args ...string) Run {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	r := Run{Args: args}
	var out, talk bytes.Buffer
	r.Code, r.Peak, r.err = t.program(ctx, dir, env, &out, &talk, args...)
	r.out, r.talk = out.String(), talk.String()
	t.holds(r, ctx.Err())
	t.Runs = append(t.Runs, r)
	return r
}

func (t *try) fault(r Run, format string, args ...any) {
	t.Faults = append(t.Faults, r.String()+": "+fmt.Sprintf(format, args...))
}

// The exit codes that are documented.
const (
	clean    = 0
	findings = 1
	usage    = 2
	failure  = 3
)

func (t *try) holds(r Run, late error) {
	if late != nil || r.err != nil || r.Code < clean || r.Code > failure {
		t.fault(r, "exit code %d: %v %v\n%.2000s", r.Code, late, r.err, r.talk)
		return
	}
	for where, text := range map[string]string{"standard output": r.out, "standard error": r.talk} {
		if what := hostile.Unseen(text); what != "" {
			t.fault(r, "%s on %s", what, where)
		}
		for _, sign := range []string{"panic", "goroutine ", "reader failed"} {
			if strings.Contains(text, sign) {
				t.fault(r, "%q on %s:\n%.2000s", sign, where, text)
			}
		}
	}
	if r.Code >= usage && !t.names(r.out+r.talk) {
		t.fault(r, "it does not name the faulty file:\n%.2000s%.2000s", r.out, r.talk)
	}
}

// names reports whether a text has the path of one of the attack's files, or of a directory above it, or the command of git that
// does not survive the attack either.
func (t *try) names(text string) bool {
	if t.gitFails {
		return strings.Contains(text, "git status")
	}
	for _, f := range t.attack.Files {
		for name := f.Path; name != "."; name = path.Dir(name) {
			if strings.Contains(text, name) {
				return true
			}
		}
	}
	return false
}

// commands runs the commands of a user who has checked out the branch.
func (t *try) commands(ctx context.Context) error {
	if _, err := git(ctx, t.clone, t.environment(), "status"); err != nil {
		t.gitFails = true
	}
	before, err := look(t.root, t.clone)
	if err != nil {
		return err
	}
	first := t.run(ctx, t.clone, t.environment(), "update")
	after, err := look(t.root, t.clone)
	if err != nil {
		return err
	}
	t.untouched(first, before, after, "causal's own")
	t.run(ctx, t.clone, t.environment(), "review", "--vet=false", "--base", "HEAD^")
	check := t.run(ctx, t.clone, t.environment(), "check")
	if first.Code == clean && check.Code != clean && !t.names(check.out) { // a source that cannot be read is nothing that an update mends
		t.fault(check, "exit code %d after a successful update:\n%.2000s", check.Code, check.out+check.talk)
	}
	told := t.run(ctx, t.clone, t.environment(), "check", "--json")
	if told.Code <= findings && !json.Valid([]byte(told.out)) {
		t.fault(told, "it prints no JSON:\n%.500s", told.out)
	}
	if told.Code != check.Code {
		t.fault(told, "exit code %d, and %d without --json", told.Code, check.Code)
	}
	again := t.run(ctx, t.clone, t.environment(), "update")
	last, err := look(t.root, t.clone)
	if err != nil {
		return err
	}
	if again.Code != first.Code {
		t.fault(again, "exit code %d, and %d the first time:\n%.2000s", again.Code, first.Code, again.out+again.talk)
	}
	t.untouched(again, after, last, "")
	return nil
}

// untouched reports changed files that are not causal's own.
func (t *try) untouched(r Run, before, after state, but string) {
	for name := range before.differs(after) {
		own := but != "" && (strings.HasPrefix(name, "clone/.causal/") || strings.HasPrefix(name, "clone/docs/causal/"))
		if !own || t.mine(strings.TrimPrefix(name, "clone/")) {
			t.fault(r, "it changed %q", name)
		}
	}
}

// mine reports whether a page is the attack's. causal must not overwrite it.
func (t *try) mine(name string) bool {
	for _, f := range t.attack.Files {
		if f.Path == name && strings.HasPrefix(name, "docs/") && f.Mode != "160000" { // a submodule is an empty directory
			return true
		}
	}
	return false
}

// action runs the step of the Action on the pull request of the fork.
func (t *try) action(ctx context.Context, pull githubsim.Pull) error {
	runner := filepath.Join(t.root, "runner")
	side := func(ref, id, repo string) map[string]any {
		return map[string]any{"ref": ref, "sha": id, "repo": map[string]any{"full_name": repo}}
	}
	event, err := json.Marshal(map[string]any{
		"repository": map[string]any{"full_name": t.repo.FullName()},
		"pull_request": map[string]any{
			"number": pull.Number, "base": side(pull.Base, pull.BaseID, t.repo.FullName()), "head": side(pull.Head, pull.HeadID, "mallory/shop"),
		},
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(runner, "event.json"), event, 0o644)
	}
	if err != nil {
		return err
	}
	env := append(t.environment(), "CI=true", "GITHUB_ACTIONS=true", "RUNNER_TEMP="+runner, "GITHUB_WORKSPACE="+t.work, "GITHUB_REPOSITORY="+t.repo.FullName(),
		fmt.Sprintf("GITHUB_REF=refs/pull/%d/merge", pull.Number), "GITHUB_EVENT_NAME=pull_request", "GITHUB_EVENT_PATH="+filepath.Join(runner, "event.json"),
		"GITHUB_ACTOR=mallory", "GITHUB_SERVER_URL="+t.sim.URL(), "GITHUB_API_URL="+t.sim.APIURL(), "GITHUB_GRAPHQL_URL="+t.sim.GraphQLURL(),
		"GITHUB_OUTPUT="+filepath.Join(runner, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(runner, "summary.md"),
		"GITHUB_TOKEN="+t.sim.ActionsToken(t.repo, map[string]string{"contents": "read"}))
	before, err := look(t.root, t.work)
	if err != nil {
		return err
	}
	r := t.run(ctx, t.work, env, "action")
	after, err := look(t.root, t.work)
	if err != nil {
		return err
	}
	t.untouched(r, before, after, "")
	for line := range strings.Lines(r.out) {
		if strings.HasPrefix(line, "::") && !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::warning ") && !strings.HasPrefix(line, "::notice ") ||
			strings.Contains(line, "##[") {
			t.fault(r, "the runner reads a command: %.300s", line)
		}
	}
	summary, err := os.ReadFile(filepath.Join(runner, "summary.md"))
	if what := hostile.Unseen(string(summary)); err == nil && what != "" {
		t.fault(r, "%s in the summary", what)
	}
	return nil
}
