// Package publishtest is the conformance suite for whoever publishes: what has to be on GitHub after a run, in whatever
// state the repository was and whatever happened meanwhile. The server, the Action and publish itself are held to it over
// a simulated GitHub.
package publishtest

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/publish"
	"github.com/causaldocs/causal/app/summary"
)

// Shop is the project of the suite. Page shows the type of an amount as Source has it.
var Shop = map[string]string{
	"README.md": "# Shop\n\nSells things.\n",
	"go.mod":    "module example.com/shop\n\ngo 1.24\n",
	Source:      money("int64"),
}

// Where the suite changes something, and where it looks for what became of it.
const (
	Source = "money/money.go"
	Page   = "docs/causal/modules/money.md"
)

func money(kind string) string {
	return "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount " + kind + "\n"
}

// Way is how a party publishes.
type Way string

// The ways.
const (
	Commit      Way = "commit"       // to the branch; by the pull request where that takes none
	CommitOnly  Way = "commit only"  // to the branch or not at all
	PullRequest Way = "pull request" // by the one that follows the branch
	Check       Way = "check"        // not at all
)

// Party is somebody who publishes for the branch main of a repository that begins as Shop.
type Party struct {
	Sim  *githubsim.Server
	Repo *githubsim.Repository
	// Bring brings the docs of main up to date and returns what it concluded. between has to be called once, when the run
	// knows which commit it is about and has not published anything.
	Bring func(between func()) (conclusion string, err error)
}

// outcome is what has to be on GitHub after a run.
type outcome int

const (
	notTried  outcome = iota // the way cannot get there
	committed                // the docs are on main
	proposed                 // they are in the one open pull request, one commit on top of main
	told                     // nothing is anywhere
	withdrawn                // main was as it should be, and nothing is proposed any more
	left                     // main and the pull request are as they were, and the run says that it could not
)

// conclusions are what a run has to say of an outcome; of those that are not here, something else.
var conclusions = map[outcome]string{committed: publish.Updated, proposed: publish.Proposed, told: publish.Stale, withdrawn: publish.Fresh}

// row is one situation.
type row struct {
	name    string
	arrange func(*trial)
	between func(*trial)
	settle  bool // what one run leaves may be unfinished; another one finishes it
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

// Run holds a party to the suite.
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
					conclusion = conclusions[want] // the first run got there
				}
			}
			x.holds(want, main, rolling)
			x.said(want, conclusion, err)
		})
	}
}

// said tells when a run says something else than became of it.
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

// holds tells when something else is on GitHub. main and rolling are where the branches were.
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

// follows tells when the page of a branch is not that of its source.
func (x *trial) follows(branch string) {
	x.Helper()
	source, _ := x.Repo.Read(branch, Source)
	_, kind, _ := strings.Cut(source, "type Amount ")
	if page, _ := x.Repo.Read(branch, Page); kind == "" || !strings.Contains(page, "Amount "+strings.TrimSpace(kind)) {
		x.Errorf("on %s an amount is of type %q, and its page says\n%s", branch, kind, page)
	}
}
