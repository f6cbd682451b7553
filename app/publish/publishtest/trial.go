package publishtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/summary"
)

type trial struct {
	*testing.T
	*Party

	pushed string // another author's newest commit on main
	rolls  bool
}

// mostWrites is the limit of write requests per push.
const mostWrites = 4

// run runs the party and checks the invariants of every run.
func (x *trial) run(between func(*trial)) (conclusion string, err error) {
	x.Helper()
	before, writes := x.Repo.Head("main"), len(x.Sim.Writes(x.Repo))
	conclusion, err = x.Bring(func() {
		if between != nil {
			between(x)
		}
	})
	pushes := len(x.log("main")) - slices.Index(x.log("main"), before)
	if n := len(x.Sim.Writes(x.Repo)) - writes; n > mostWrites*max(pushes, 1) || between == nil && n > mostWrites {
		x.Errorf("%d writes to GitHub for one push", n)
	}
	for _, commit := range []string{before, x.pushed} {
		if commit != "" && !slices.Contains(x.log("main"), commit) {
			x.Errorf("%s was on main and is not any more", commit)
		}
	}
	x.rolls = x.rolls || x.Repo.Head(summary.Rolling) != ""
	return conclusion, err
}

func (x *trial) log(branch string) []string {
	x.Helper()
	log, err := x.Repo.Log(branch)
	x.must(err)
	var ids []string
	for _, commit := range log {
		ids = append(ids, commit[0])
	}
	return ids
}

func (x *trial) must(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

func (x *trial) protect() { x.Repo.Protect("main") }

func (x *trial) edit(kind string) { x.push("main", Source, money(kind)) }

func (x *trial) push(branch, file, text string) {
	x.Helper()
	id, err := x.Repo.Push(branch, githubsim.Change{Write: map[string]string{file: text}, Message: "Change it"})
	x.must(err)
	if branch == "main" {
		x.pushed = id
	}
}

func (x *trial) publish() {
	x.Helper()
	_, err := x.run(nil)
	x.must(err)
	for _, p := range x.Repo.Pulls() {
		id, err := x.Repo.MergePull(p.Number, "octo")
		x.must(err)
		x.pushed = id
	}
}

func (x *trial) propose() {
	x.Helper()
	x.protect()
	_, err := x.run(nil)
	x.must(err)
}

func (x *trial) copy() {
	x.Helper()
	files, err := x.Repo.Files(summary.Rolling)
	x.must(err)
	own := map[string]string{}
	for _, name := range files {
		if text, _ := x.Repo.Read(summary.Rolling, name); strings.HasPrefix(name, ".causal/") || strings.HasPrefix(name, "docs/") {
			own[name] = text
		}
	}
	x.Repo.Unprotect("main")
	x.pushed, err = x.Repo.Push("main", githubsim.Change{Write: own, Message: "Take the docs over"})
	x.must(err)
}
