package bot_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/webhooks/queue"
)

// TestMergeGroups gives each merge group one check run on its head, with the verdict of its tree, and publishes nothing.
func TestMergeGroups(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.documented()
	handle := func(group string) queue.Outcome {
		t.Helper()
		s := f.subject()
		s.Ref = "refs/heads/" + group
		return must(f, func() (queue.Outcome, error) {
			return f.bot.Handle(t.Context(), queue.Job{Subject: s, Run: 1, Attempt: 1, Attempts: 12})
		})
	}
	var group string
	for _, c := range []struct {
		name, file, text   string
		config             string // of main
		outcome, verdict   string
		titleHas, summedUp string
	}{
		{"nothing goes stale", "notes.txt", "x\n", "", bot.Told, "success", "no page goes stale", "main"},
		{"a node goes stale", "money/money.go", widened, "", bot.Told, "neutral", "goes stale", "money"},
		{"its own configuration does not count", ".causal/config.yml", "docs: [1,2\n", "", bot.Told, "success", "", ""},
		{"that of the base does", "more.txt", "x\n", "docs: [1,2\n", bot.Refused, "failure", "cannot update the docs", "config.yml"},
	} {
		branch := strings.ReplaceAll(c.name, " ", "-")
		f.push(branch, map[string]string{c.file: c.text})
		if c.config != "" {
			f.push("main", map[string]string{".causal/config.yml": c.config})
		}
		n := must(f, func() (int, error) { return f.repo.OpenPull(branch, "main", c.name, "ann") })
		group = must(f, func() (string, error) { return f.repo.Enqueue(n, "ann") })
		main, head := f.repo.Head("main"), f.repo.Head(group)
		if out := handle(group); out.Conclusion != c.outcome || out.Head != head {
			t.Errorf("%s: %+v", c.name, out)
		}
		if run := f.check(head); run.Conclusion != c.verdict || !strings.Contains(run.Title, c.titleHas) || !strings.Contains(run.Summary, c.summedUp) {
			t.Errorf("%s: %+v", c.name, run)
		}
		if f.repo.Head("main") != main || f.repo.Head(group) != head {
			t.Errorf("%s: something was published", c.name)
		}
	}
	if err := f.repo.Dequeue(group, false, "ann"); err != nil {
		t.Fatal(err)
	}
	if out := handle(group); out.Conclusion != bot.Skipped {
		t.Errorf("a group that is over: %+v", out)
	}
}
