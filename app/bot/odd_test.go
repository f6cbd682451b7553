package bot_test

import (
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// with is the shop with more files.
func with(more map[string]string) map[string]string {
	out := maps.Clone(shop)
	maps.Copy(out, more)
	return out
}

// TestOddNames checks that odd file names do not stop the docs. The check run lists the omitted files, one per line.
func TestOddNames(t *testing.T) {
	t.Parallel()
	const code = "package odd\n\n// F does.\nfunc F() {}\n"
	for name, c := range map[string]struct{ files, left []string }{
		"that fit": {files: []string{
			"odd\xff/odd\xfe.go", strings.Repeat("n", 251) + "/odd.go", "odd/" + strings.Repeat("n", 252) + ".go", "fixes #1/@octo/team.go",
			"odd\nCo-authored-by: M <m@example.com>/odd.go",
		}},
		"that are too long, one of them when it is escaped": {
			files: []string{strings.Repeat("n", 252) + "/odd.go", strings.Repeat("%", 100) + "/odd.go"}, left: []string{strings.Repeat("n", 252), strings.Repeat("%", 100)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			more := map[string]string{}
			for _, file := range c.files {
				more[file] = code
			}
			f := setup(t, with(more))
			pushed := f.repo.Head("main")
			f.concludes(bot.Updated)
			if page, _ := f.repo.Read("main", "docs/causal/modules/money.md"); !strings.Contains(page, "Holds amounts.") {
				t.Errorf("the page of money is %q", page)
			}
			text := f.check(pushed).Text
			if strings.Contains(text, "left out") != (len(c.left) > 0) {
				t.Errorf("the check says %s", text)
			}
			for _, left := range c.left {
				if !strings.Contains(text, "- `"+left) {
					t.Errorf("the check does not name %s:\n%s", left, text)
				}
			}
			f.concludes(bot.Fresh)
			log := must(f, func() ([][2]string, error) { return f.repo.Log("main") })
			for _, text := range log[0] {
				if strings.Contains(text, "#1") || strings.Contains(text, "@octo") || strings.Contains(text, "\nCo-authored-by") {
					t.Errorf("the commit says %q", text)
				}
			}
		})
	}
}

// TestLinksInTheWay checks that symbolic links in causal's directories are reported and not retried.
func TestLinksInTheWay(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	start := f.repo.Head("main")
	for _, link := range []string{".causal", "docs", "docs/causal", "docs/causal/modules", ".causal/nodes", ".causal/frames", ".causal/nodes/money", "docs/causal/modules/money", ".causal/nodes/money.yml"} {
		f.renew()
		f.feed(f.repo.Dir(), "commit refs/heads/main\ncommitter A <a@example.com> 1700000000 +0000\ndata 0\nfrom "+start+"\nM 120000 inline "+link+"\ndata 4\n/etc\n",
			"fast-import", "--quiet", "--force")
		pushed := f.repo.Head("main")
		out := must(f, f.branch)
		if check := f.check(pushed); check.Conclusion != "failure" || !strings.Contains(check.Summary+check.Text, link) {
			t.Errorf("%s: the run is %q, and the check is %+v", link, out.Conclusion, check)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestOwnPullRequestIsChecked: where the check is required it can be merged, and only while it holds nothing but docs that are true.
func TestOwnPullRequestIsChecked(t *testing.T) {
	t.Parallel()
	f := setup(t, with(map[string]string{".causal/config.yml": "version: 1\nbot: {mode: pull_request}\n"}))
	f.concludes(bot.Proposed)
	n := f.repo.Pulls()[0].Number
	if out := f.pull(n); out.Conclusion != bot.Told {
		t.Errorf("the run ended as %q (%s)", out.Conclusion, out.Title)
	}
	if check := f.check(f.repo.Head(summary.Rolling)); check.Conclusion != "success" || check.Name != "causal" {
		t.Errorf("the check is %+v", check)
	}
	if got := f.repo.Comments(n); len(got) != 0 {
		t.Errorf("it is commented on: %+v", got)
	}
	f.push(summary.Rolling, map[string]string{"money/money.go": widened})
	f.pull(n)
	if check := f.check(f.repo.Head(summary.Rolling)); check.Conclusion == "success" {
		t.Errorf("what somebody else added passes: %+v", check)
	}
}

// TestForksAreCheckedAgain: GitHub does not say whose check it is, only which commit's.
func TestForksAreCheckedAgain(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.documented()
	fork := must(f, func() (*githubsim.Repository, error) { return f.repo.Fork("guest") })
	must(f, func() (string, error) {
		return fork.Push("main", githubsim.Change{Write: map[string]string{"money/money.go": widened}, Message: "Mine"})
	})
	n := must(f, func() (int, error) { return f.repo.OpenPull("guest:main", "main", "From outside", "guest") })
	for head, want := range map[string]int{fork.Head("main"): n, f.repo.Head("main"): 0} {
		f.asks = nil
		s := f.subject()
		s.Ref = webhooks.CommitPrefix + head
		if out := must(f, func() (queue.Outcome, error) {
			return f.bot.Handle(f.Context(), queue.Job{Subject: s, Run: 9, Attempt: 1, Attempts: 12})
		}); out.Conclusion != bot.Skipped {
			t.Errorf("the run ended as %q", out.Conclusion)
		}
		if want == 0 && len(f.asks) > 0 || want != 0 && (len(f.asks) != 1 || f.asks[0].Pull != want || f.asks[0].Ref != "") {
			t.Errorf("%s: asked for %+v", head, f.asks)
		}
	}
}

// TestNothingIsKeptOfClosedPulls checks that files for a pull request are removed with it, and files for the branch stay.
func TestNothingIsKeptOfClosedPulls(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.concludes(bot.Updated)
	n := f.proposal()
	f.pull(n)
	scratch := filepath.Join(f.dir, "repositories", strconv.FormatInt(f.repo.ID(), 10), "scratch")
	if entries, err := os.ReadDir(scratch); err != nil || len(entries) != 2 {
		t.Fatalf("kept are %v, %v", entries, err)
	}
	must(f, func() (string, error) { return f.repo.MergePull(n, "ann") })
	f.pull(n)
	if entries, err := os.ReadDir(scratch); err != nil || len(entries) != 1 || entries[0].Name() != "branch-main" {
		t.Errorf("after the merge there are %v, %v", entries, err)
	}
}

// TestScratchIsLimited checks that the least recently used files are removed first, and never those of a possible run.
func TestScratchIsLimited(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, name := range []string{"1/scratch/old", "2/scratch/older", "1/scratch/new", "2/scratch/now"} {
		at := filepath.Join(dir, name)
		write(t, filepath.Join(at, "file"), strings.Repeat("x", 1<<20))
		age := []time.Duration{3 * time.Hour, 4 * time.Hour, 2 * time.Hour, time.Minute}[i]
		if err := os.Chtimes(at, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		most int64
		left string
	}{{5 << 20, "old older new now"}, {3<<20 + 1<<19, "old new now"}, {1, "now"}} {
		if err := workspace.LimitScratch(dir, step.most, now.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		var left []string
		for _, name := range []string{"1/scratch/old", "2/scratch/older", "1/scratch/new", "2/scratch/now"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				left = append(left, filepath.Base(name))
			}
		}
		if got := strings.Join(left, " "); got != step.left {
			t.Errorf("at most %d bytes: left are %s, want %s", step.most, got, step.left)
		}
	}
}
