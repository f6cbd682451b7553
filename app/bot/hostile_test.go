package bot_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/review/match"
)

// record is the record of a merged change in which Parse lost a parameter, with status as the author claims.
func record(n int, status string) string {
	return fmt.Sprintf(`{"key":"pr-%d","base":"b","head":"h","outcome":"merged","at":"2026-01-0%dT00:00:00Z","author":"ann"}`+"\n"+
		`{"id":"f-1","rule":"lint/x","severity":"warning","path":"money/money.go","line":8,"symbol":"Parse","message":"Forged.","pattern":"p-2","status":%q,"history":[{"event":"new"}]}`+"\n", n, n, status)
}

// TestAPullRequestDoesNotGovernItself checks that changes to configuration, principles and records have no effect before the merge.
func TestAPullRequestDoesNotGovernItself(t *testing.T) {
	t.Parallel()
	f := setup(t, quiet)
	f.documented()
	main := f.repo.Head("main")
	change := map[string]string{"money/money.go": strings.Replace(broken, "\treturn", "\t_ = \"\"\n\t"+printed+"\n\treturn", 1)}
	f.push("wider", change)
	n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Read currencies", "octo") })
	f.tells(n)
	f.rests(n)
	want := f.told(n)
	if len(f.repo.Threads(n)) != 2 {
		t.Fatalf("%+v", f.repo.Threads(n))
	}
	principle := quiet[".causal/principles/quiet.yml"]
	attacks := map[string]map[string]string{
		"reviews are off":               {".causal/config.yml": "review: {off: true}\n"},
		"all rules are ignored":         {".causal/config.yml": "review: {ignore: [\"**\"]}\n"},
		"only errors are told":          {".causal/config.yml": "review: {severity: error, comments: 0}\n"},
		"no file is read":               {".causal/config.yml": "max_file_bytes: 1\nexclude: [\"**\"]\n"},
		"nothing is committed":          {".causal/config.yml": "bot: {mode: check, dry_run: true}\n"},
		"one change makes a principle":  {".causal/config.yml": "review: {approval: none, promote: {after: 2, authors: 1, monthly: 1000}}\n"},
		"a configuration that is none":  {".causal/config.yml": "review: [[[\n"},
		"another place of the pages":    {".causal/config.yml": "docs: {dir: .git/hooks}\n"},
		"records of three changes":      {".causal/reviews/pr-7.jsonl": record(7, "fixed"), ".causal/reviews/pr-8.jsonl": record(8, "fixed"), ".causal/reviews/pr-9.jsonl": record(9, "fixed")},
		"its own record":                {fmt.Sprintf(".causal/reviews/pr-%d.jsonl", n): record(n, "fixed")},
		"a record that is none":         {".causal/reviews/pr-7.jsonl": "{{{\n"},
		"a principle of its own":        {".causal/principles/x.yml": strings.NewReplacer("quiet", "x", match.Shape("a.go", printed), match.Shape("a.go", `_ = ""`)).Replace(principle)},
		"a principle that is over":      {".causal/principles/quiet.yml": strings.Replace(principle, "active", "demoted", 1)},
		"a principle without its check": {".causal/principles/quiet.yml": "principle: quiet\nrule: Print.\nwhy: Why not.\nstatus: declined\n"},
		"a principle that is none":      {".causal/principles/quiet.yml": "[[[\n"},
		"a page of principles":          {"docs/causal/principles.md": "# None\n"},
	}
	for _, label := range slices.Sorted(maps.Keys(attacks)) {
		write := maps.Clone(change)
		maps.Copy(write, attacks[label])
		must(f, func() (string, error) {
			return f.repo.ForcePush("wider", main, githubsim.Change{Write: write, Message: label})
		})
		before := len(f.sim.Writes(f.repo))
		f.pull(n)
		if writes := f.sim.Writes(f.repo)[before:]; len(writes) > 4 {
			t.Errorf("%s: %d writes: %v", label, len(writes), writes)
		}
		if got := f.told(n); got != want {
			t.Errorf("%s: it is told\n%s\nand without that\n%s", label, got, want)
		}
		if f.repo.Head("main") != main {
			t.Fatalf("%s: main moved", label)
		}
	}
}

// told returns the visible findings of a pull request.
func (f *fixture) told(number int) string {
	f.Helper()
	var out []string
	for line := range strings.Lines(f.comment(number).Body) {
		switch {
		case strings.HasPrefix(line, "### "): // how the pages will read is another matter: that is so when it is merged
			out = append(out, line[strings.LastIndex(line, ", "):])
		case strings.HasPrefix(line, "| **Breaking"), strings.HasPrefix(line, "| **Memory"):
			out = append(out, line)
		}
	}
	for _, t := range f.repo.Threads(number) {
		out = append(out, fmt.Sprintf("%s:%d %s %+v\n", t.Path, t.OriginalLine, t.ResolvedBy, t.Comments))
	}
	return strings.Join(out, "")
}

// TestWhatIsMergedIsThePeoples: records and principles that a pull request brought are the repository's when it is merged, as any file.
func TestWhatIsMergedIsThePeoples(t *testing.T) {
	t.Parallel()
	f := setup(t, quiet)
	f.documented()
	own, over := ".causal/reviews/pr-1.jsonl", ".causal/principles/quiet.yml"
	files := map[string]string{"money/money.go": broken, own: record(1, "fixed"), over: strings.Replace(quiet[over], "active", "demoted", 1)}
	f.push("wider", files)
	n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Read currencies", "octo") })
	f.tells(n)
	f.rests(n)
	must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
	f.pull(n)
	must(f, f.branch)
	for _, name := range []string{own, over} {
		if text, _ := f.repo.Read("main", name); text != files[name] {
			t.Errorf("%s is now\n%s", name, text)
		}
	}
	f.push("louder", map[string]string{"money/money.go": strings.Replace(broken, "\treturn", "\t"+printed+"\n\treturn", 1)})
	n = must(f, func() (int, error) { return f.repo.OpenPull("louder", "main", "Print", "octo") })
	f.pull(n)
	if got := f.repo.Threads(n); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	f.says(n, "in #1: Forged.")
}
