package main

import (
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/webhooks/queue"
)

// eachCanFail has every figure of a report be wrong, one after the other: the report must name it, and the program fail.
func eachCanFail[T any](t *testing.T, good func() T, figures func(T) []figure, wrong map[string]func(T)) {
	t.Helper()
	broken := func(counts T) string {
		stage := newStage(t)
		stage.show("a trial", figures(counts))
		return strings.Join(stage.broken, "\n")
	}
	if says := broken(good()); says != "" {
		t.Fatalf("a correct trial reports %s", says)
	}
	for _, f := range figures(good()) {
		t.Run(f.what, func(t *testing.T) {
			spoil := wrong[f.what]
			if spoil == nil {
				t.Fatal("no case makes it fail")
			}
			counts := good()
			spoil(counts)
			if says := broken(counts); !strings.Contains(says, "a trial: "+f.what+": ") {
				t.Errorf("it reports %q", says)
			}
		})
	}
}

func TestKillFiguresCanFail(t *testing.T) {
	t.Parallel()
	good := func() *tally {
		c := newTally(killSettings{times: 64, children: 200, repositories: 20})
		c.kills, c.struck, c.children, c.certain, c.noticed = 64, 31, 200, 120, 180
		c.youngest, c.oldest, c.settled = time.Millisecond, time.Second, time.Minute
		c.actions = map[string]int{"push": 80, "open": 10, "merge": 2, "close": 4, "reopen": 1, "extend": 3}
		c.landed, c.pulls = 102, map[string]int{"open": 5, "merged": 2, "closed": 3}
		c.docs, c.files, c.posted, c.unanswered, c.writes = 50, 400, 300, 30, 150
		c.runs = map[string]int{bot.Updated: 48, bot.Fresh: 60, bot.Told: 15, string(queue.Lost): 100, string(queue.Failed): 180}
		return c
	}
	wrong := map[string]func(*tally){
		"kills of servers": func(c *tally) { c.kills-- },
		"of these within " + atWork.String() + " of a commit of the server": func(c *tally) { c.struck = 3 },
		"kills of children at work":                                         func(c *tally) { c.children-- },
		"of these recorded by a server":                                     func(c *tally) { c.noticed = 119 },
		"the youngest of these children":                                    func(c *tally) { c.youngest = time.Hour },
		"the oldest":                                                        func(c *tally) { c.oldest = childTimeLimit + 1 },
		"actions of users":                                                  func(c *tally) { clear(c.actions) },
		"commits of users on main":                                          func(c *tally) { c.landed-- },
		"pull requests":                                                     func(c *tally) { c.pulls["open"]++ },
		"of these merged":                                                   func(c *tally) { c.pulls["merged"]++ },
		"of these closed":                                                   func(c *tally) { c.pulls["closed"]-- },
		"commits of docs":                                                   func(c *tally) { c.docs = 47 },
		"pages and nodes that were compared":                                func(c *tally) { c.files = 19 },
		"deliveries, redeliveries included":                                 func(c *tally) { c.posted = 99 },
		"of these not answered":                                             func(c *tally) { c.unanswered = 151 },
		"deliveries lost":                                                   func(c *tally) { c.lost++ },
		"runs done":                                                         func(c *tally) { c.runs = map[string]int{bot.Updated: 19} },
		"runs lost with their server":                                       func(c *tally) { c.runs[string(queue.Lost)] = 257 },
		"runs delayed by a redelivery":                                      func(c *tally) { c.behind = 1 },
		"runs failed for another reason":                                    func(c *tally) { c.strange++ },
		"runs with another end, or none":                                    func(c *tally) { c.runs["done "+bot.Refused]++ },
		"jobs queued":                                                       func(c *tally) { c.jobs["queued"]++ },
		"jobs running":                                                      func(c *tally) { c.jobs["running"]++ },
		"jobs waiting":                                                      func(c *tally) { c.jobs["waiting"]++ },
		"jobs dead":                                                         func(c *tally) { c.jobs["dead"]++ },
		"writes to GitHub":                                                  func(c *tally) { c.writes = 1000 },
		"requests outside of GitHub's description":                          func(c *tally) { c.violations++ },
		"settled after":                                                     func(c *tally) { c.settled = settling + time.Second },
	}
	for _, what := range promises {
		wrong[what] = func(c *tally) { c.found[what]++ }
	}
	eachCanFail(t, good, (*tally).figures, wrong)
}

// TestRunsAreSorted by whether they may end like that.
func TestRunsAreSorted(t *testing.T) {
	t.Parallel()
	done := queue.Outcome{Conclusion: bot.Updated}
	c := newTally(killSettings{})
	strange := c.addRuns([]queue.RunRow{
		{State: queue.Done, Outcome: done},
		{State: queue.Done, Outcome: queue.Outcome{Conclusion: bot.Refused}},
		{State: queue.Failed, Error: sandbox.ErrKilled.Error() + ": signal: killed"},
		{State: queue.Failed, Error: "no idea"},
		{State: queue.Failed, Error: bot.ErrLags.Error() + ": pull request 1 has another head"},
		{State: queue.Lost},
		{State: queue.Running},
		{State: queue.Dead, Error: sandbox.ErrKilled.Error() + ": signal: killed"},
	})
	if c.noticed != 2 || c.behind != 1 || c.strange != 1 || len(strange) != 1 || strange[0].Error != "no idea" {
		t.Errorf("%d killed, %d strange: %+v", c.noticed, c.strange, strange)
	}
	for _, f := range c.queueFigures() {
		if want, counted := map[string]string{"runs with another end, or none": "3", "runs done": "1", "runs lost with their server": "1"}[f.what]; counted && f.have != want {
			t.Errorf("%s: %s, want %s", f.what, f.have, want)
		}
	}
}

// TestCertainKills: a server that is killed itself may not get to write down that its child was.
func TestCertainKills(t *testing.T) {
	t.Parallel()
	alive, dead := &life{}, &life{killed: time.Now()}
	h := &childKiller{childKills: []childKill{{of: alive, age: 3}, {of: dead, age: 2}, {of: alive, age: 5}}}
	c := newTally(killSettings{})
	if c.addChildKills(h); c.children != 3 || c.certain != 2 || c.youngest != 2 || c.oldest != 5 {
		t.Errorf("%d kills, %d certain, aged %d to %d", c.children, c.certain, c.youngest, c.oldest)
	}
}

func TestDoorFiguresCanFail(t *testing.T) {
	t.Parallel()
	good := func() *doorTally {
		fine := spreading{time.Millisecond, 2 * time.Millisecond, time.Second}
		return &doorTally{
			outcomes: map[string]int{accepted: 60000}, jobs: 480, wait: fine, answer: fine, used: time.Millisecond,
		}
	}
	eachCanFail(t, good, func(d *doorTally) []figure { return d.figures() }, map[string]func(*doorTally){
		"deliveries":            func(d *doorTally) { d.outcomes[accepted]-- },
		"of these not accepted": func(d *doorTally) { d.outcomes[accepted], d.outcomes["no answer"] = 59999, 1 },
		"of these answered, and not in the queue after kill -9": func(d *doorTally) { d.lost++ },
		"repositories with a job left":                          func(d *doorTally) { d.jobs = payloadRepositories + 1 },
		"from when it was due to the answer, p50":               func(d *doorTally) { d.wait.median = slowest + 1 },
		"from when it was due to the answer, p99":               func(d *doorTally) { d.wait.p99 = slowest + 1 },
		"from when it was due to the answer, slowest":           func(d *doorTally) { d.wait.max = unanswered + 1 },
		"from when it was sent to the answer, p50":              func(d *doorTally) { d.answer.median = slowest + 1 },
		"from when it was sent to the answer, p99":              func(d *doorTally) { d.answer.p99 = slowest + 1 },
		"from when it was sent to the answer, slowest":          func(d *doorTally) { d.answer.max = unanswered + 1 },
		"processor time of a delivery":                          func(d *doorTally) { d.used = time.Second },
	})
}

// pushed is the result of the push test.
type pushed struct {
	first      time.Duration
	rounds     []round
	violations int
}

func TestPushFiguresCanFail(t *testing.T) {
	t.Parallel()
	good := func() *pushed {
		r := round{published: time.Second, run: time.Second, processor: mostProcessor / 2, bytes: 900, git: time.Second, gitBytes: 400, writes: 2, checks: 1}
		return &pushed{first: time.Minute, rounds: []round{r, r, r}}
	}
	figures := func(p *pushed) []figure { return pushFigures(p.first, p.rounds, p.violations) }
	eachCanFail(t, good, figures, map[string]func(*pushed){
		"from the push to the published commit":         func(p *pushed) { p.rounds[1].published = longestPush + time.Second },
		"the run, to the last of its writes":            func(p *pushed) { p.rounds[0].run = 0 },
		"processor time of the server and its children": func(p *pushed) { p.rounds[1].processor = mostProcessor + time.Millisecond },
		"git fetch of the pushed commit":                func(p *pushed) { p.rounds[2].git = 0 },
		"bytes that the server fetched":                 func(p *pushed) { p.rounds[2].bytes = mostBytes + 1 },
		"bytes that git fetch fetched":                  func(p *pushed) { p.rounds[2].gitBytes = 0 },
		"writes to GitHub":                              func(p *pushed) { p.rounds[0].writes = mostWrites + 1 },
		"check runs on pushed commits":                  func(p *pushed) { p.rounds[0].checks = 0 },
		"the first run":                                 func(p *pushed) { p.first = firstRun + time.Second },
		"requests outside of GitHub's description":      func(p *pushed) { p.violations++ },
	})
}
