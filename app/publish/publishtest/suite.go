// Package publishtest is the conformance suite for publishers: the server, the Action and package publish. It runs them
// against a simulated GitHub in various initial states, with concurrent changes, and checks the result.
package publishtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/summary"
)

// Shop is the suite's project. Page shows the type of an amount declared in Source.
var Shop = map[string]string{
	"README.md": "# Shop\n\nSells things.\n",
	"go.mod":    "module example.com/shop\n\ngo 1.24\n",
	Source:      money("int64"),
}

// Files that the suite changes and checks.
const (
	Source = "money/money.go"
	Page   = "docs/causal/modules/money.md"
)

func money(kind string) string {
	return "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount " + kind + "\n"
}

// Way is how a party publishes.
type Way string

// Ways.
const (
	Commit      Way = "commit"       // on the branch, or else in the pull request
	CommitOnly  Way = "commit only"  // on the branch or not at all
	PullRequest Way = "pull request" // in the pull request
	Check       Way = "check"
)

// Party is a publisher for the branch main of a repository that starts as Shop.
type Party struct {
	Sim  *githubsim.Server
	Repo *githubsim.Repository
	// Bring updates the docs of main and returns the conclusion. It must call between once, after the run has chosen its
	// commit and before it publishes.
	Bring func(between func()) (conclusion string, err error)
}

type outcome int

const (
	notTried outcome = iota
	committed
	proposed // the docs are in one open pull request, one commit on top of main
	told
	withdrawn // main was up to date, and the proposal is withdrawn
	left      // main and the pull request are unchanged, and the run reports a failure
)

// conclusions lists the expected conclusions; other outcomes must have none of these.
var conclusions = map[outcome]string{committed: publish.Updated, proposed: publish.Proposed, told: publish.Stale, withdrawn: publish.Fresh}

type row struct {
	name    string
	arrange func(*trial)
	between func(*trial)
	settle  bool // a second run may have to finish the work
	want    map[Way]outcome
}

var suite = []row{
	{name: "new docs", want: map[Way]outcome{Commit: committed, CommitOnly: committed, PullRequest: proposed, Check: told}},
	{
		name: "the docs are there", arrange: (*trial).publish,
		want: map[Way]outcome{Commit: withdrawn, CommitOnly: withdrawn, PullRequest: withdrawn},
	},
	{
		name: "a branch that takes no commits", arrange: (*trial).protect,
		want: map[Way]outcome{Commit: proposed, CommitOnly: left, PullRequest: proposed, Check: told},
	},
	{
		name: "a branch that takes no commits any more", between: (*trial).protect,
		want: map[Way]outcome{Commit: proposed, CommitOnly: left, PullRequest: proposed},
	},
	{
		name: "a proposal that has to be another one now", arrange: func(x *trial) { x.propose(); x.edit("uint64") },
		want: map[Way]outcome{Commit: proposed, PullRequest: proposed},
	},
	{
		name: "a proposal that came to main in another way", arrange: func(x *trial) { x.propose(); x.copy() },
		want: map[Way]outcome{Commit: withdrawn, PullRequest: withdrawn},
	},
	{
		name: "a proposal that somebody else works on",
		arrange: func(x *trial) {
			x.propose()
			x.push(summary.Rolling, "notes.md", "Mine.\n")
			x.edit("uint64")
		},
		want: map[Way]outcome{Commit: left, PullRequest: left},
	},
	{
		name: "a push meanwhile", between: func(x *trial) { x.edit("uint64") }, settle: true,
		want: map[Way]outcome{Commit: committed, CommitOnly: committed, PullRequest: proposed, Check: told},
	},
}

// Run runs the suite against a party.
func Run(t *testing.T, way Way, open func(t *testing.T) *Party) {
	t.Helper()
	for _, r := range suite {
		want := r.want[way]
		if want == notTried {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			x := &trial{T: t, Party: open(t)}
			if r.arrange != nil {
				r.arrange(x)
			}
			main, rolling := x.Repo.Head("main"), x.Repo.Head(summary.Rolling)
			conclusion, err := x.run(r.between)
			if r.settle {
				conclusion, err = x.run(nil)
				if conclusion == publish.Fresh {
					conclusion = conclusions[want]
				}
			}
			x.holds(want, main, rolling)
			x.said(want, conclusion, err)
		})
	}
}

func (x *trial) said(want outcome, conclusion string, err error) {
	x.Helper()
	said, known := conclusions[want]
	if known && (err != nil || conclusion != said) {
		x.Errorf("the run concluded %q, %v; want %q", conclusion, err, said)
	}
	if !known && err == nil && slices.Contains([]string{publish.Updated, publish.Proposed, publish.Stale, publish.Fresh}, conclusion) {
		x.Errorf("the run could not publish and concluded %q", conclusion)
	}
}

// holds checks the state of GitHub. main and rolling are the branch heads before the run.
func (x *trial) holds(want outcome, main, rolling string) {
	x.Helper()
	open := slices.DeleteFunc(x.Repo.Pulls(), func(p githubsim.Pull) bool { return p.State != "open" })
	if want != committed && x.Repo.Head("main") != main && x.Repo.Head("main") != x.pushed {
		x.Errorf("the run has committed to main")
	}
	if want != left && (len(open) == 1) != (want == proposed) {
		x.Errorf("open pull requests are %+v", open)
	}
	switch want {
	case committed:
		x.follows("main")
	case proposed:
		x.follows(summary.Rolling)
		if log := x.log(summary.Rolling); log[1] != x.Repo.Head("main") {
			x.Errorf("the proposal is not one commit on top of main: %v", log)
		}
	case told, withdrawn:
		if at := x.Repo.Head(summary.Rolling); at != "" && x.rolls {
			x.Errorf("%s is at %s", summary.Rolling, at)
		}
	case left:
		if at := x.Repo.Head(summary.Rolling); at != rolling {
			x.Errorf("%s was at %q and is at %q", summary.Rolling, rolling, at)
		}
	}
}

// follows checks that a branch's page matches its source.
func (x *trial) follows(branch string) {
	x.Helper()
	source, _ := x.Repo.Read(branch, Source)
	_, kind, _ := strings.Cut(source, "type Amount ")
	if page, _ := x.Repo.Read(branch, Page); kind == "" || !strings.Contains(page, "Amount "+strings.TrimSpace(kind)) {
		x.Errorf("on %s an amount is of type %q, and its page says\n%s", branch, kind, page)
	}
}
