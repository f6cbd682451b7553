package main

import (
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/webhooks/queue"
)

// tally holds the counts of a kill test.
type tally struct {
	asked  killSettings
	kills  int // of servers
	struck int // of these, right after a commit of the server

	children, certain int           // kills of children, and how many of them a server must have written down
	youngest, oldest  time.Duration // of these children
	noticed           int           // kills of children that a server has written down

	actions map[string]int // actions of the simulated users
	landed  int            // commits of the users on main, with the first ones
	pulls   map[string]int // pull requests by state
	docs    int            // commits of docs on main
	files   int            // pages and nodes that were compared with clean runs
	found   map[string]int // violations by promise

	posted     int // attempts to deliver
	again      int // of these, that the server asked for
	unanswered int // of these, that did not come or were not answered
	lost       int // deliveries that the queue does not know

	runs       map[string]int // by conclusion, or by state without one
	behind     int            // failed because GitHub's answer lagged behind the delivery
	strange    int            // that failed, and not for either reason
	jobs       map[string]int // that are left, by state
	writes     int            // to GitHub
	violations int            // of GitHub's description
	settled    time.Duration
}

func newTally(asked killSettings) *tally {
	return &tally{asked: asked, actions: map[string]int{}, pulls: map[string]int{}, found: map[string]int{}, runs: map[string]int{}, jobs: map[string]int{}}
}

// Violations that the audit looks for.
const (
	undocumented = "repositories without docs"
	unlike       = "pages and nodes that differ from a clean run"
	stale        = "repositories in which causal check fails"
	empty        = "commits that change nothing"
	twice        = "commits that were made twice"
	untold       = "documented pushes without a check run"
	notTakenUp   = "analyses that were not resumed"
	checkedTwice = "check runs that were made twice"
	failing      = "check runs that failed or did not end"
	untoldPulls  = "pull requests without a comment, or with two"
)

var promises = []string{undocumented, unlike, stale, empty, twice, untold, notTakenUp, checkedTwice, failing, untoldPulls}

const (
	workers = 4 // of a server
	lagging = 3 // attempts of the bot to see the delivered head
	// coverage is the part of the kills that has to come right after a commit of a server: every other one waits for such a moment.
	coverage = 16
)

// concluded are the expected conclusions.
var concluded = []string{bot.Updated, bot.Fresh, bot.Told, bot.SetAside, bot.Completed, bot.Skipped}

// figures returns each number with its bound.
func (t *tally) figures() []figure {
	people := t.actions["push"] + t.actions["merge"]
	occasions := sum(t.actions) + t.asked.repositories
	list := []figure{
		exactly("kills of servers", t.kills, t.asked.times),
		atLeast("of these within "+atWork.String()+" of a commit of the server", t.struck, t.asked.times/coverage),
		exactly("kills of children at work", t.children, t.asked.children),
		between("of these recorded by a server", t.noticed, t.certain, t.children),
		atMost("the youngest of these children", t.youngest, t.oldest),
		atMost("the oldest", t.oldest, childTimeLimit),
		atLeast("actions of users", sum(t.actions), 1),
		exactly("commits of users on main", t.landed, t.asked.repositories+people),
		exactly("pull requests", sum(t.pulls), t.actions["open"]),
		exactly("of these merged", t.pulls["merged"], t.actions["merge"]),
		exactly("of these closed", t.pulls["closed"], t.actions["close"]-t.actions["reopen"]),
		between("commits of docs", t.docs, max(t.runs[bot.Updated], t.asked.repositories), t.runs[bot.Updated]+t.runs[string(queue.Lost)]+t.runs[string(queue.Failed)]),
		atLeast("pages and nodes that were compared", t.files, t.asked.repositories),
	}
	for _, what := range promises {
		list = append(list, exactly(what, t.found[what], 0))
	}
	return append(append(list, t.queueFigures()...),
		between("writes to GitHub", t.writes, t.docs, mostWrites*occasions),
		exactly("requests outside of GitHub's description", t.violations, 0),
		atMost("settled after", t.settled.Round(time.Second/10), settling),
	)
}

// childTimeLimit is how long a child may live.
var childTimeLimit = sandbox.DefaultLimits().Time

// queueFigures are the figures of the queue.
func (t *tally) queueFigures() []figure {
	list := []figure{
		atLeast("deliveries, redeliveries included", t.posted, sum(t.actions)),
		atMost("of these not answered", t.unanswered, min(t.kills*t.posted, t.posted/2)),
		exactly("deliveries lost", t.lost, 0),
	}
	done := 0
	for _, c := range concluded {
		done += t.runs[c]
	}
	lost := t.runs[string(queue.Lost)]
	list = append(list,
		atLeast("runs done", done, t.asked.repositories),
		atMost("runs lost with their server", lost, workers*t.kills),
		atMost("runs delayed by a redelivery", t.behind, lagging*t.again),
		exactly("runs failed for another reason", t.strange, 0),
		exactly("runs with another end, or none", sum(t.runs)-done-lost-t.runs[string(queue.Failed)], 0),
	)
	for _, state := range []string{"queued", "running", "waiting", "dead"} {
		list = append(list, exactly("jobs "+state, t.jobs[state], 0))
	}
	return list
}

// addDeliveries counts deliveries.
func (t *tally) addDeliveries(list []githubsim.Delivery) {
	for _, d := range list {
		t.posted++
		if d.Redelivery {
			t.again++
		}
		if d.Code < 200 || d.Code >= 300 {
			t.unanswered++
		}
	}
}

// addRuns counts runs by result, and returns those with an unexpected error.
func (t *tally) addRuns(rows []queue.RunRow) (strange []queue.RunRow) {
	for _, r := range rows {
		how := r.Conclusion
		if r.State != queue.Done || !slices.Contains(concluded, how) {
			how = strings.TrimSpace(string(r.State) + " " + how)
		}
		t.runs[how]++
		switch {
		case strings.Contains(r.Error, sandbox.ErrKilled.Error()):
			t.noticed++
		case strings.Contains(r.Error, bot.ErrLags.Error()):
			t.behind++
		case r.Error != "":
			t.strange++
			strange = append(strange, r)
		}
	}
	return strange
}

// addChildKills counts kills of children.
func (t *tally) addChildKills(h *childKiller) {
	t.children, t.certain = len(h.childKills), h.certain()
	for i, s := range h.childKills {
		if t.oldest = max(t.oldest, s.age); i == 0 || s.age < t.youngest {
			t.youngest = s.age
		}
	}
}
