package bot_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
)

// TestAMemoryThatCannotBeRead checks that unreadable records disable only principles: reviews and docs continue.
func TestAMemoryThatCannotBeRead(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	f.documented()
	f.push("main", map[string]string{".causal/reviews/by-hand.jsonl": "{\n"})
	f.concludes(bot.Updated)
	f.push("wider", map[string]string{"money/money.go": broken})
	n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Read currencies", "octo") })
	f.tells(n)
	f.thread(n)
	f.says(n, "not analysed: `.causal` the records of earlier changes cannot be read: .causal/reviews/by-hand.jsonl: line 1")
	must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
	f.pull(n)
	recorded := func(name string) {
		if text, _ := f.repo.Read("main", name); !strings.Contains(text, `"rule":"api-break"`) {
			t.Errorf("%s is %q", name, text)
		}
	}
	recorded(".causal/reviews/pr-1.jsonl")
	must(f, f.branch)
	pushed := f.push("main", map[string]string{"money/money.go": good})
	f.concludes(bot.Updated)
	recorded(".causal/reviews/push-" + pushed[:10] + ".jsonl")
	f.push("main", map[string]string{
		".causal/reviews/by-hand.jsonl": `{"key":"by-hand","base":"b","head":"h","outcome":"unmerged","at":"2026-01-01T00:00:00Z"}` + "\n",
	})
	must(f, f.branch)
	f.sameAsACleanRun()
}
