package bot_test

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/knowledge/ledger"
)

// without is money.go with no Parse, and an Amount that its users see otherwise.
var without = func() string {
	before, _, _ := strings.Cut(widened, "// Parse")
	return before
}()

// told returns the texts of pushes and consequences in a log.
func told(log *ledger.Log) (pushes, consequences []string) {
	for _, e := range log.Events() {
		if e.Cause == "" {
			pushes = append(pushes, e.Text)
		} else {
			consequences = append(consequences, e.About+" | "+e.Text)
		}
	}
	return pushes, consequences
}

// caused compares the events in the log of a branch.
func (f *fixture) caused(branch string, pushes, consequences []string) {
	f.Helper()
	gotPushes, got := told(f.recorded(branch))
	if len(gotPushes) != len(pushes) || !slices.Equal(got, consequences) {
		f.Fatalf("%s tells of %q that they caused %q, want %q and %q", branch, gotPushes, got, pushes, consequences)
	}
	for i, want := range pushes {
		if !strings.Contains(gotPushes[i], want) {
			f.Errorf("%q is told, and not %q", gotPushes[i], want)
		}
	}
}

// TestWhatAPushCaused checks that the commit with the docs has the effects of a push in its log, once, and only relevant ones.
func TestWhatAPushCaused(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.documented()
	f.caused("main", nil, nil) // all was new

	f.push("main", map[string]string{"README.md": "# Shop\n\nSells more.\n", "cart/cart.go": strings.Replace(shop["cart/cart.go"], "// Total is", "// Total says", 1)})
	f.concludes(bot.Updated)
	f.caused("main", nil, nil) // the symbol is not public

	pushed := must(f, func() (string, error) {
		return f.repo.Push("main", githubsim.Change{Write: map[string]string{"money/money.go": without, "tax/tax.go": "package tax\n\n// Rate is one.\nconst Rate = 19\n"}, Message: "Count larger amounts\n\nAnd say more."})
	})
	out := f.concludes(bot.Updated)
	want := []string{"module/money | money: Parse was removed, Amount changed its signature", "module/tax | tax is new, with Rate"}
	f.caused("main", []string{"Pushed " + pushed[:10] + ": Count larger amounts"}, want)
	log := f.recorded("main")
	for _, e := range log.Events() {
		if e.Source != pushed || e.At == "" || e.Actor == "" || e.Type != ledger.Happening || strings.Contains(e.Text, f.repo.Head("main")[:10]) {
			t.Errorf("%+v", e)
		}
	}
	if files := f.detail(out); len(files.Commit) == 0 {
		t.Errorf("%+v", files)
	}
	batches := slices.DeleteFunc(must(f, func() ([]string, error) { return f.repo.Files("main") }), func(name string) bool { return !ledger.IsBatch(name) })
	if len(batches) != 1 {
		t.Errorf("the log has the files %q", batches)
	}
	page, _ := f.repo.Read("main", "docs/causal/log.md")
	page = strings.ReplaceAll(page, "`", "") // which a hash has only if it has both digits and letters
	for _, told := range []string{"**Pushed " + pushed[:10] + ": Count larger amounts**", "  - money: Parse was removed, Amount changed its signature\n", "  - tax is new, with Rate\n"} {
		if !strings.Contains(page, told) {
			t.Errorf("the page of the log does not tell %q:\n%s", told, page)
		}
	}
	f.fresh()
	f.vouched(len(log.Events()))

	head := f.repo.Head("main")
	f.renew() // another server, and the same push again
	f.last = pushed
	f.concludes(bot.Fresh)
	if f.repo.Head("main") != head {
		t.Error("the same push is told again")
	}
}

// fresh has causal check a clone of main.
func (f *fixture) fresh() { f.Helper(); f.clean("check") }

// vouched has causal verify a clone of main: the App's own key vouches for so many events.
func (f *fixture) vouched(events int) {
	f.Helper()
	signer := must(f, func() (*ledger.Signer, error) { return f.config.Signer(f.repo.ID()) })
	var told struct {
		Checkpoint string `json:"checkpoint"`
		Covered    int    `json:"covered"`
	}
	if err := json.Unmarshal([]byte(f.clean("verify", "--json", "--key", signer.Key())), &told); err != nil {
		f.Fatal(err)
	}
	if told.Checkpoint == "" || told.Covered != events {
		f.Errorf("checkpoints vouch for %d events, want %d: %+v", told.Covered, events, told)
	}
}

// clean runs a command in a clone of main, expects no findings, and returns the output.
func (f *fixture) clean(args ...string) string {
	f.Helper()
	dir := filepath.Join(f.TempDir(), "clone")
	f.git(f.TempDir(), "clone", "-q", "--shared", f.repo.Dir(), dir)
	var out strings.Builder
	world := cli.IO{Out: &out, Err: io.Discard, Getenv: os.Getenv, Now: time.Now, Dir: dir}
	if code := cli.Run(f.Context(), args, world); code != cli.ExitClean {
		f.Errorf("what was published does not hold: causal %s ends with %d:\n%s", args[0], code, out.String())
	}
	return out.String()
}

// TestManyCommits are named by the newest, from where causal last told of any, also where one comes while the docs are made.
func TestManyCommits(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.documented()
	for _, subject := range []string{"One", "Two @octo", "Three", "Four"} {
		must(f, func() (string, error) {
			return f.repo.Push("main", githubsim.Change{Write: map[string]string{"README.md": subject + "\n"}, Message: subject})
		})
	}
	push := sync.OnceFunc(func() {
		if _, err := f.repo.Push("main", githubsim.Change{Write: map[string]string{"money/money.go": widened}, Message: "Five"}); err != nil {
			t.Error(err)
		}
	})
	f.through = func(c bot.Client) bot.Client { return intruder{c, push} }
	f.concludes(bot.Updated)
	f.caused("main", []string{": Five; Four; Three; and 2 more"}, []string{"module/money | money: Amount changed its signature"})
	f.through = nil

	branch := f.push("topic", map[string]string{"money/money.go": shop["money/money.go"]})
	n := must(f, func() (int, error) { return f.repo.OpenPull("topic", "main", "Back to signed amounts", "octo") })
	must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
	f.concludes(bot.Updated)
	pushes, _ := told(f.recorded("main"))
	if len(pushes) != 2 || !strings.Contains(pushes[1], "Merge pull request #") || strings.Contains(pushes[1], branch[:10]) {
		t.Errorf("%q is told", pushes)
	}

	must(f, func() (string, error) {
		return f.repo.ForcePush("main", f.repo.Head("topic"), githubsim.Change{Write: map[string]string{"money/money.go": without}, Message: "Begin anew"})
	})
	must(f, f.branch)
	f.fresh()
}

// TestWhatIsProposed checks that each push is recorded once, even if the pull request is not merged and its branch is lost.
func TestWhatIsProposed(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files[".causal/config.yml"] = "version: 1\nbot: {mode: pull_request}\n"
	f := setup(t, files)
	f.concludes(bot.Proposed)
	must(f, func() (string, error) { return f.repo.MergePull(1, "octo") })
	must(f, f.branch)

	f.push("main", map[string]string{"money/money.go": widened})
	f.concludes(bot.Proposed)
	first := []string{"module/money | money: Amount changed its signature"}
	f.caused("causal/docs", []string{"Pushed "}, first)
	f.caused("main", nil, nil)
	ids := f.recorded("causal/docs").Heads()

	again := f.last
	f.last = f.repo.Head("main") + "0" // a history whose end is not there
	f.concludes(bot.Proposed)
	f.caused("causal/docs", []string{"Pushed "}, first)
	f.last = again

	f.push("main", map[string]string{"money/money.go": without})
	f.concludes(bot.Proposed)
	both := append(slices.Clone(first), "module/money | money: Parse was removed")
	f.caused("causal/docs", []string{"Pushed ", "Pushed "}, both)
	if log := f.recorded("causal/docs"); !log.Saw(log.Heads()[0], ids[0]) {
		t.Error("what was proposed first was written anew")
	}
	f.push("main", map[string]string{"money/money.go": shop["money/money.go"]})
	must(f, f.branch)
	_, got := told(f.recorded("causal/docs"))
	if len(got) != 3 || !strings.Contains(got[2], "Amount changed its signature, Parse was added") {
		t.Errorf("%q is told", got)
	}
}
