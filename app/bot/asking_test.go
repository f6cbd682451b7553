package bot_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks/queue"
)

// asking is a shop whose people are asked about principles.
func asking(t *testing.T, settings string) *fixture {
	t.Helper()
	f := setup(t, with(map[string]string{".causal/config.yml": "version: 1\nreview: {approval: pull_request}\n" + settings}))
	if settings == "" {
		f.documented()
	} else if out := must(f, f.branch); out.Conclusion != bot.Updated && out.Conclusion != bot.Proposed {
		t.Fatalf("%+v", out)
	}
	return f
}

// recurring are the records of three changes with the same finding, and the file of the principle that comes of them.
func recurring(rule string) (records map[string]string, file string) {
	records = map[string]string{}
	for i := range 3 {
		key := fmt.Sprintf("pr-%d", 100*len(rule)+i)
		records[".causal/reviews/"+key+".jsonl"] = fmt.Sprintf(`{"key":%q,"base":"b","head":"%040d","outcome":"merged","at":"2026-01-0%dT00:00:00Z","author":"ann"}`, key, i, i+1) + "\n" +
			fmt.Sprintf(`{"id":"f-1","rule":%q,"severity":"warning","path":"a.go","line":1,"message":"No.","pattern":%q,"status":"fixed","history":[{"event":"new"}]}`, rule, "p-"+rule) + "\n"
	}
	return records, ".causal/principles/" + strings.ReplaceAll(rule, "/", "-") + ".yml"
}

// recurs has a finding recur, and returns the file of its principle.
func (f *fixture) recurs(rule string) string {
	f.Helper()
	return f.recur(rule)[0]
}

// recur has several findings recur in one push.
func (f *fixture) recur(rules ...string) (files []string) {
	f.Helper()
	all := map[string]string{}
	for _, rule := range rules {
		records, file := recurring(rule)
		maps.Copy(all, records)
		files = append(files, file)
	}
	f.push("main", all)
	must(f, f.branch)
	f.settles()
	return files
}

// settles runs the jobs that the bot requests, until there are none.
func (f *fixture) settles() (last queue.Outcome) {
	f.Helper()
	for rounds := 0; len(f.asks) > 0; rounds++ {
		if rounds == 20 {
			f.Fatalf("the bot asks again and again: %+v", f.asks)
		}
		s := f.asks[0]
		f.asks = f.asks[1:]
		f.runs++
		last = must(f, func() (queue.Outcome, error) {
			return f.bot.Handle(f.Context(), queue.Job{Subject: s, Run: f.runs, Attempt: 1, Attempts: 12})
		})
	}
	return last
}

// looks handles a pull request and then the jobs that it requests.
func (f *fixture) looks(number int) queue.Outcome {
	f.Helper()
	out := f.pull(number)
	f.settles()
	return out
}

// status is that of a principle on a branch; empty where it has none.
func (f *fixture) status(branch, file string) string {
	f.Helper()
	text, _ := f.repo.Read(branch, file)
	for line := range strings.Lines(text) {
		if value, found := strings.CutPrefix(line, "status: "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// is holds principles on a branch to statuses.
func (f *fixture) is(branch string, want map[string]string) {
	f.Helper()
	got := map[string]string{}
	for file := range want {
		got[file] = f.status(branch, file)
	}
	if !maps.Equal(got, want) {
		f.Errorf("on %s there are %v, want %v", branch, got, want)
	}
}

// asked is the one open pull request about principles.
func (f *fixture) asked() githubsim.Pull {
	f.Helper()
	open := slices.DeleteFunc(f.repo.Pulls(), func(p githubsim.Pull) bool { return p.State != "open" || p.Head != summary.Approvals })
	if len(open) != 1 {
		f.Fatalf("open are %+v", open)
	}
	return open[0]
}

// unasked fails if there is a pull request although no principle waits.
func (f *fixture) unasked() {
	f.Helper()
	for _, p := range f.repo.Pulls() {
		if p.State == "open" && p.Head == summary.Approvals {
			f.Errorf("asked are %+v", p)
		}
	}
	if at := f.repo.Head(summary.Approvals); at != "" {
		f.Errorf("%s is at %s", summary.Approvals, at)
	}
}

// again handles everything once more with a new server, like redelivered events. It must change nothing.
func (f *fixture) again() {
	f.Helper()
	all := func() {
		must(f, f.branch)
		f.settles()
		for _, p := range f.repo.Pulls() {
			f.looks(p.Number)
		}
	}
	all() // which makes the check runs that are not there yet
	f.renew()
	writes := len(f.sim.Writes(f.repo))
	all()
	if more := f.sim.Writes(f.repo)[writes:]; len(more) > 0 {
		f.Errorf("once more: %+v", more)
	}
}
