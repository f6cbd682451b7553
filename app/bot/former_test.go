package bot_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
)

// clumsy breaks two functions of sound.
var (
	sound  = strings.Replace(good, "// Amount is", "// Zero is nothing.\nfunc Zero() Amount {\n\treturn 0\n}\n\n// Amount is", 1)
	clumsy = strings.Replace(strings.Replace(sound, "Zero()", "Zero(n int)", 1), "(s string)", "(s, currency string)", 1)
)

// judged opens a pull request that breaks two functions, one of which a person does not mind, and closes it.
func (f *fixture) judged() int {
	f.Helper()
	f.push("main", map[string]string{
		"money/money.go":  sound,
		"cart/nothing.go": "package cart\n\nimport \"example.com/shop/money\"\n\n// Nothing is what an empty cart costs.\nfunc Nothing() money.Amount {\n\treturn money.Zero()\n}\n",
	})
	f.concludes(bot.Updated)
	f.push("wider", map[string]string{"money/money.go": clumsy})
	n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Read currencies", "octo") })
	f.tells(n)
	f.says(n, "2 new")
	f.repo.AddComment(n, "/causal dismiss F1 nobody calls it", "octo")
	f.pull(n)
	f.body(n, "1 dismissed", "nobody calls it, by `octo`")
	if err := f.repo.ClosePull(n, "octo"); err != nil {
		f.Fatal(err)
	}
	f.pull(n)
	return n
}

// body reports what of the texts the first comment on a pull request does not say.
func (f *fixture) body(number int, texts ...string) {
	f.Helper()
	body := f.repo.Comments(number)[0].Body
	for _, text := range texts {
		if !strings.Contains(body, text) {
			f.Errorf("#%d does not say %q:\n%s", number, text, body)
		}
	}
}

// TestReopened checks that a reopened pull request keeps its findings and conversations.
func TestReopened(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.judged()
	threads := f.repo.Threads(n)
	f.renew()
	if err := f.repo.ReopenPull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	f.tells(n)
	f.body(n, "1 new · 1 dismissed", "nobody calls it, by `octo`", "**F2**", "is resumed") // new at this head, as it was
	now := f.repo.Threads(n)
	if len(now) != len(threads) || len(now) != 2 || now[0].ResolvedBy != "causal[bot]" || now[1].ResolvedBy != "" || len(now[1].Comments) != 1 {
		t.Errorf("the conversations are %+v", now)
	}
	f.push("wider", map[string]string{"money/money.go": clumsy + "\n// End.\n"})
	f.tells(n)
	f.body(n, "1 from before · 1 dismissed")
}

// TestAnotherFromTheSameBranch checks that a new pull request of a branch inherits the state of the closed one for common commits.
func TestAnotherFromTheSameBranch(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	first := f.judged()
	f.renew()
	must(f, func() (string, error) {
		return f.repo.ForcePush("wider", f.repo.Head("main"), githubsim.Change{Write: map[string]string{"money/money.go": "// Rewritten.\n\n" + clumsy}, Message: "Again"})
	})
	n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Once more", "octo") })
	f.tells(n)
	f.says(n, "1 from before · 1 dismissed", "nobody calls it, by `octo`", "taken over from #", "**F2**")
	if list := f.repo.Threads(n); len(list) != 1 || list[0].ResolvedBy != "" || !strings.Contains(list[0].Comments[0].Body, "F2") {
		t.Errorf("the conversations are %+v", list)
	}
	f.push("wider", map[string]string{"README.md": "# Shop\n\nSells more.\n"})
	reads := f.reads("/pulls")
	f.tells(n)
	if more := f.reads("/pulls") - reads; more > 0 {
		t.Errorf("later pushes look for pull requests %d times", more)
	}
	f.says(n, "1 from before · 1 dismissed", "taken over from #")
	must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
	f.pull(n)
	if kept, _ := f.repo.Read("main", fmt.Sprintf(".causal/reviews/pr-%d.jsonl", n)); n == first || strings.Count(kept, `"nobody calls it"`) != 1 {
		t.Errorf("of #%d is kept\n%s", n, kept)
	}
}

// TestNothingIsTakenOver checks that state is not inherited from another change, from a fork, or from a comment of another author.
func TestNothingIsTakenOver(t *testing.T) {
	t.Parallel()
	t.Run("another change", func(t *testing.T) {
		t.Parallel()
		f := setup(t, market)
		f.judged()
		must(f, func() (string, error) {
			return f.repo.ForcePush("wider", f.repo.Head("main"), githubsim.Change{Write: map[string]string{"cart/cart.go": strings.Replace(market["cart/cart.go"], "Total(s", "Total(more, s", 1)}, Message: "Other"})
		})
		n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Something else", "octo") })
		f.tells(n)
		f.says(n, "1 new", "**F1**")
		if body := f.comment(n).Body; strings.Contains(body, "taken over") || strings.Contains(body, "dismissed") || strings.Contains(body, "fixed") {
			t.Errorf("it says\n%s", body)
		}
	})
	t.Run("a merged one", func(t *testing.T) {
		t.Parallel()
		f := setup(t, market)
		n := f.breaking()
		f.tells(n)
		must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
		f.pull(n)
		f.push("wider", map[string]string{"money/money.go": strings.Replace(broken, "s, currency", "s, more, currency", 1)})
		again := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Once more", "octo") })
		f.tells(again)
		f.says(again, "1 new")
	})
	t.Run("another's words", func(t *testing.T) {
		t.Parallel()
		f := setup(t, market)
		first := f.judged()
		signed := f.repo.Comments(first)[0].Body
		f.push("other", map[string]string{"money/money.go": clumsy})
		theirs := must(f, func() (int, error) { return f.repo.OpenPull("other", "main", "Theirs", "octo") })
		f.repo.AddComment(theirs, signed, "mallory")
		f.repo.AddComment(theirs, signed, "causal[bot]") // signed for another number
		if err := f.repo.ClosePull(theirs, "octo"); err != nil {
			t.Fatal(err)
		}
		n := must(f, func() (int, error) { return f.repo.OpenPull("other", "main", "Again", "octo") })
		f.tells(n)
		f.says(n, "2 new")
	})
}

// reads counts the requests for a path that end in it.
func (f *fixture) reads(path string) int {
	n := 0
	for _, r := range f.sim.Requests() {
		if r.Method == http.MethodGet && strings.HasSuffix(r.Path, path) {
			n++
		}
	}
	return n
}
