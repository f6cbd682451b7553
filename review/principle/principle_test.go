package principle

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/review/record"
)

// standard is the policy that the tests go by.
var standard = Policy{Changes: 3}

const line = "sum := float64(net) * 1.2"

var start = time.Date(2025, 11, 4, 0, 0, 0, 0, time.UTC)

// closed is a change that was merged on a day, in which a rule found a line that had each of these fates.
func closed(n, day int, rule, line string, fates ...life.Status) *record.Record {
	r := &record.Record{Change: record.Change{
		Key: fmt.Sprintf("pr-%d", n), Base: "base", Head: fmt.Sprintf("%040x", 0xabc0000+n), Outcome: record.Merged, At: start.AddDate(0, 0, day), Author: fmt.Sprint("author", n%2),
	}}
	for i, fate := range fates {
		r.Findings = append(r.Findings, record.Finding{
			ID: fmt.Sprintf("f-%d-%d", n, i), Rule: rule, Severity: finding.Warning, Path: "cart/gross.go", Line: 5, Quote: line, Message: "Floats round.",
			Pattern: match.Pattern(rule, "cart/gross.go", line), Status: fate,
		})
	}
	return r
}

// three are the changes that make a principle.
func three() []*record.Record {
	return []*record.Record{
		closed(1, 0, "demo-lint/no-float", line, life.Fixed), closed(2, 1, "demo-lint/no-float", line, life.Open, life.Open), closed(3, 2, "demo-lint/no-float", line, life.Carried),
	}
}

func TestPromotion(t *testing.T) {
	t.Parallel()
	d := Derive(three(), nil, standard)
	want := header + `principle: demo-lint-no-float
rule: "demo-lint/no-float: Floats round."
why: Reviews found it in 3 merged changes.
check:
  pattern: ` + match.Pattern("demo-lint/no-float", "x.go", line) + `
  severity: warning
  language: go
  shape: "ID := float64 ( ID ) * LIT"
evidence:
  - {key: pr-1, finding: f-1-0, fixed_by: 000000000000000000000000000000000abc0001, at: "2025-11-04"}
  - {key: pr-2, finding: f-2-0, at: "2025-11-05"}
  - {key: pr-3, finding: f-3-0, at: "2025-11-06"}
authors: 2
dismissed: 0
status: active
invalidation_condition: "dismissed_share(\"demo-lint-no-float\") > 0.25 or unseen_days(\"demo-lint-no-float\") > 180"
`
	const name = ".causal/principles/demo-lint-no-float.yml"
	plain := strings.NewReplacer(`"`, "", `'`, "", `\`, "")
	if got := string(d.Files[name]); plain.Replace(got) != plain.Replace(want) || fmt.Sprint(d.Promoted) != "[demo-lint-no-float]" {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if again := Derive(three(), d.Files, standard); len(again.Files)+len(again.Promoted)+len(again.Problems) > 0 {
		t.Errorf("the same records again: %s", again)
	}
}

func TestWhatIsPromoted(t *testing.T) {
	t.Parallel()
	float := func(n, day int, fates ...life.Status) *record.Record { return closed(n, day, "l/r", line, fates...) }
	unmerged := float(3, 2, life.Open)
	unmerged.Outcome = record.Unmerged
	for _, test := range []struct {
		name    string
		records []*record.Record
		policy  Policy
		want    string
	}{
		{"three", []*record.Record{float(1, 0, life.Open), float(2, 1, life.Open), float(3, 2, life.Open)}, standard, "[l-r]"},
		{"two", []*record.Record{float(1, 0, life.Open, life.Open), float(2, 1, life.Open)}, standard, "[]"},
		{"one was not merged", []*record.Record{float(1, 0, life.Open), float(2, 1, life.Open), unmerged}, standard, "[]"},
		{"dismissed as often as fixed", []*record.Record{float(1, 0, life.Fixed), float(2, 1, life.Dismissed), float(3, 2, life.Open)}, standard, "[l-r]"},
		{"dismissed more often", []*record.Record{float(1, 0, life.Fixed), float(2, 1, life.Dismissed, life.Dismissed), float(3, 2, life.Dismissed)}, standard, "[]"},
		{"five asked for", three(), Policy{Changes: 5}, "[]"},
		{"two authors asked for", three(), Policy{Changes: 3, Authors: 2}, "[demo-lint-no-float]"},
		{"three authors asked for", three(), Policy{Changes: 3, Authors: 3}, "[]"},
		{"two fixes asked for", three(), Policy{Changes: 3, Fixed: 2}, "[]"},
		{"other shapes", []*record.Record{float(1, 0, life.Open), float(2, 1, life.Open), closed(3, 2, "l/r", "x()", life.Open)}, standard, "[]"},
		{"a principle's own", []*record.Record{closed(1, 0, "principle/x", line, life.Open), closed(2, 1, "principle/x", line, life.Open), closed(3, 2, "principle/x", line, life.Open)}, standard, "[]"},
	} {
		if d := Derive(test.records, nil, test.policy); fmt.Sprint(d.Promoted) != test.want {
			t.Errorf("%s: promoted %v, want %s", test.name, d.Promoted, test.want)
		}
	}
}

// mixed are records of three rules that are all ripe.
func mixed() []*record.Record {
	all := three()
	for i, text := range []string{"a := b(c) + d", "return a.B(c, d)"} {
		for n := range 3 {
			all = append(all, closed(10*(i+1)+n, 10+i, "demo-lint/no-float", text, life.Fixed))
		}
	}
	return all
}

func TestMonthlyCap(t *testing.T) {
	t.Parallel()
	policy := Policy{Changes: 3, Monthly: 1}
	d := Derive(mixed(), nil, policy)
	if fmt.Sprint(d.Promoted) != "[demo-lint-no-float]" {
		t.Fatal(d.Promoted)
	}
	files := d.Files
	if again := Derive(mixed(), files, policy); len(again.Promoted) > 0 {
		t.Errorf("two in a month: %v", again.Promoted)
	}
	later := append(mixed(), closed(99, 40, "other/rule", "x", life.Open))
	if next := Derive(later, files, policy); fmt.Sprint(next.Promoted) != "[demo-lint-no-float-2]" {
		t.Errorf("in the next month: %v", next.Promoted)
	}
}

func TestApproval(t *testing.T) {
	t.Parallel()
	d := Derive(three(), nil, Policy{Changes: 3, Approval: true})
	if text := string(d.Files[Path("demo-lint-no-float")]); !strings.Contains(text, "\nstatus: candidate\n") {
		t.Error(text)
	}
	if _, ok := InForce(three(), d.Files).Of(three()[0].Findings[0].Pattern); ok {
		t.Error("a candidate is in force")
	}
}

// with is the file of a principle after people edited it.
func with(t *testing.T, edits ...string) map[string][]byte {
	t.Helper()
	files := Derive(three(), nil, standard).Files
	for name, data := range files {
		text := string(data)
		for i := 0; i < len(edits); i += 2 {
			if !strings.Contains(text, edits[i]) {
				t.Fatalf("test bug: no %q in\n%s", edits[i], text)
			}
			text = strings.Replace(text, edits[i], edits[i+1], 1)
		}
		files[name] = []byte(text)
	}
	return files
}

const float = ".causal/principles/demo-lint-no-float.yml"

func TestPeopleEdit(t *testing.T) {
	t.Parallel()
	records := append(three(), closed(4, 3, "demo-lint/no-float", line, life.Fixed))
	ours := []string{
		"why: \"Reviews", "# A note of ours.\nwhy:   >-  # folded\n  Finance had to\n  mend invoices.\nowner: finance # ours\n# Old: \"Reviews", "evidence:", "# What causal found:\n\nevidence:",
		"authors:", "\n# and by whom\nauthors:", "status: active", "status: 'active'   # for now",
	}
	d := Derive(records, with(t, ours...), standard)
	text := string(d.Files[float])
	for i := 1; i < len(ours); i += 2 {
		if !strings.Contains(text, ours[i]) {
			t.Errorf("%q is not kept:\n%s", ours[i], text)
		}
	}
	if strings.Count(text, "key: pr-") != 4 || !strings.Contains(text, "key: pr-4") {
		t.Errorf("evidence was not brought up to date:\n%s", text)
	}
	if len(d.Promoted)+len(d.Problems) > 0 {
		t.Errorf("%+v", d)
	}
}

func TestCheckStaysAway(t *testing.T) {
	t.Parallel()
	files := with(t)
	text := string(files[float])
	from, to := strings.Index(text, "check:"), strings.Index(text, "evidence:")
	files[float] = []byte(text[:from] + text[to:])
	records := append(three(), closed(4, 3, "demo-lint/no-float", line, life.Fixed))
	d := Derive(records, files, standard)
	if got := string(d.Files[float]); strings.Contains(got, "check:\n") || !strings.Contains(got, "key: pr-4") || len(d.Promoted) > 0 {
		t.Errorf("promoted %v, and it is now\n%s", d.Promoted, got)
	}
	in := InForce(records, files)
	if slug, ok := in.Of(records[0].Findings[0].Pattern); !ok || slug != "demo-lint-no-float" {
		t.Error("its findings do not belong to it any more")
	}
	if v := in.Violations("a.go", []string{line}, func(int) bool { return true }); len(v) > 0 {
		t.Errorf("%v although people took the check away", v)
	}
}

// TestWhatIsDerivedIsDerived: what people write into check and evidence does not stay.
func TestWhatIsDerivedIsDerived(t *testing.T) {
	t.Parallel()
	want := string(with(t)[float])
	d := Derive(three(), with(t, "  severity: warning", "  severity: error", "  - {key: pr-2, finding: f-2-0, at: \"2025-11-05\"}\n", "", "authors: 2\n", ""), standard)
	got := string(d.Files[float])
	lines := func(s string) []string { return slices.Sorted(strings.Lines(s)) }
	if !slices.Equal(lines(got), lines(want)) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestTwoBranchesMerge(t *testing.T) {
	t.Parallel()
	one := append(three()[:2], closed(3, 2, "demo-lint/no-float", line, life.Fixed))
	two := append(three()[:2], closed(4, 3, "demo-lint/no-float", line, life.Open))
	ours, theirs := Derive(one, nil, standard).Files[float], Derive(two, nil, standard).Files[float]
	at := strings.Index(string(ours), "  - {key: pr-3")
	end, tail := strings.Index(string(ours), "authors:"), strings.Index(string(theirs), "authors:")
	conflict := string(ours[:at]) + "<<<<<<< HEAD\n" + string(ours[at:end]) + "=======\n" + string(theirs[at:tail]) + ">>>>>>> other\n" + string(ours[end:])
	d := Derive(append(one, two[2]), map[string][]byte{float: []byte(conflict)}, standard)
	if text := string(d.Files[float]); len(d.Problems)+len(d.Promoted) > 0 || strings.Count(text, "key: pr-") != 4 || strings.Contains(text, "<<<") {
		t.Errorf("%+v\n%s", d.Problems, text)
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	more := func(day int, fates ...life.Status) []*record.Record {
		all := three()
		for i, fate := range fates {
			all = append(all, closed(10+i, day+i, "demo-lint/no-float", line, fate))
		}
		return all
	}
	for _, test := range []struct {
		name, status string
		records      []*record.Record
		want         string
	}{
		{"dismissed once of four", "active", more(5, life.Dismissed), "active"},
		{"dismissed twice of five", "active", more(5, life.Dismissed, life.Dismissed), "demoted"},
		{"not seen for long", "active", append(three(), closed(9, 190, "o/r", "x", life.Open)), "expired"},
		{"not seen for a while", "active", append(three(), closed(9, 180, "o/r", "x", life.Open)), "active"},
		{"seen again", "expired", append(more(185, life.Open), closed(9, 190, "o/r", "x", life.Open)), "active"},
		{"a candidate not seen for long", "candidate", append(three(), closed(9, 190, "o/r", "x", life.Open)), "candidate"},
		{"demoted", "demoted", more(5, life.Fixed, life.Fixed), "demoted"},
		{"declined", "declined", more(5, life.Fixed, life.Fixed), "declined"},
	} {
		files := with(t, "status: active", "status: "+test.status+" # ours")
		before := string(files[float])
		d := Derive(test.records, files, standard)
		after := before
		if text, ok := d.Files[float]; ok {
			after = string(text)
		}
		if !strings.Contains(after, "\nstatus: "+test.want) || len(d.Promoted) > 0 {
			t.Errorf("%s: promoted %v:\n%s", test.name, d.Promoted, after)
		}
		if Status(test.status).closed() && after != before {
			t.Errorf("%s: the file became\n%s", test.name, after)
		}
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	for edit, want := range map[string]string{
		"principle: other": "principle is", "- a": "no list of keys", "{principle: demo-lint-no-float, status: active}": "beginning of a line", "principle: demo-lint-no-float\nstatus: paused": "status is",
		"principle: demo-lint-no-float\nstatus: active\nstatus: demoted": "twice", "a: [": "", "principle: demo-lint-no-float\nstatus: active\ncheck: {severity: error}": "check has no pattern",
		"principle: &a demo-lint-no-float\nrule: *a\nstatus: active": "aliases", "": "no documents", "evidence: 3\nprinciple: demo-lint-no-float\nstatus: active": "", strings.Repeat("#", largest+1): "larger",
	} {
		d := Derive(three(), map[string][]byte{float: []byte(edit)}, standard)
		if len(d.Problems) != 1 || !strings.Contains(d.Problems[0].Reason, want) || d.Files[float] != nil {
			t.Errorf("%.40q: %+v", edit, d.Problems)
		}
	}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	in := InForce(three(), with(t))
	lines := []string{"package a", "\ttotal  := float64( price )*9.99 // so", "x := float64(y) * 2", "x := float64(y) + 2"}
	got := in.Violations("a/b.go", lines, func(n int) bool { return n != 3 })
	if len(got) != 1 || got[0].Line != 2 || got[0].Slug != "demo-lint-no-float" || got[0].Severity != finding.Warning || got[0].Pattern != three()[0].Findings[0].Pattern {
		t.Errorf("%+v", got)
	}
	if got := in.Violations("a/b.py", lines, func(int) bool { return true }); len(got) > 0 {
		t.Errorf("in another language: %+v", got)
	}
	for _, vague := range []string{"a = b", "x.Close()", "if a == b {"} { // nothing that others do not have as well
		var records []*record.Record
		for n := range 3 {
			records = append(records, closed(n, n, "l/r", vague, life.Open))
		}
		files := Derive(records, nil, standard).Files
		if got := InForce(records, files).Violations("a.go", []string{vague}, func(int) bool { return true }); len(got) > 0 || len(files) != 1 {
			t.Errorf("%s can be told without the linter: %+v", vague, got)
		}
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"demo-lint/no-float": "demo-lint-no-float", "ESLint (web)/@x/No--Y": "eslint-web-x-no-y", "con": "rule-con", "…": "rule", strings.Repeat("ab/", 50): strings.Repeat("ab-", 26) + "ab", "api-break": "api-break",
	} {
		got := slug(&tally{changes: []occurrence{{finding: &record.Finding{Rule: rule}}}}, map[string]bool{})
		if got != want || record.CheckKey(got) != nil {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

// TestDeriveIsStable: the order of records does not matter, and what was written is not written again.
func TestDeriveIsStable(t *testing.T) {
	t.Parallel()
	fate := rapid.SampledFrom([]life.Status{life.Open, life.Fixed, life.Dismissed, life.Carried, life.Outdated})
	rapid.Check(t, func(rt *rapid.T) {
		var records []*record.Record
		for n := range rapid.IntRange(0, 12).Draw(rt, "changes") {
			r := closed(n, rapid.IntRange(0, 400).Draw(rt, "day"), "l/r", line, rapid.SliceOfN(fate, 0, 3).Draw(rt, "fates")...)
			r.Findings = append(r.Findings, closed(n, 0, "l/other", "x(1, 2)", rapid.SliceOfN(fate, 0, 1).Draw(rt, "others")...).Findings...)
			records = append(records, r)
		}
		policy := Policy{Changes: rapid.IntRange(1, 4).Draw(rt, "asked"), Approval: rapid.Bool().Draw(rt, "approval")}
		first := Derive(records, nil, policy)
		shuffled := slices.Clone(records)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if other := Derive(shuffled, nil, policy); fmt.Sprintf("%s", first) != fmt.Sprintf("%s", other) {
			rt.Fatalf("%s\n%s", first, other)
		}
		files := maps.Clone(first.Files)
		for range 3 { // what is promoted may have ended already
			d := Derive(records, files, policy)
			if len(d.Promoted)+len(d.Problems) > 0 {
				rt.Fatalf("%s", d)
			}
			maps.Copy(files, d.Files)
		}
		if d := Derive(records, files, policy); len(d.Files) > 0 {
			rt.Fatalf("written again: %s", d)
		}
	})
}

// FuzzRead: whatever a file holds, it is a principle whose text can be brought up to date, or an error.
func FuzzRead(f *testing.F) {
	f.Add(Derive(three(), nil, standard).Files[float])
	f.Add([]byte("# a\nprinciple: demo-lint-no-float # b\nstatus: active\n<<<<<<< a\nx: 1\n=======\nx: 2\n>>>>>>> b\nevidence:\n- {key: a}\n\n# c\nrule: |\n  x\n# d\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := Derive(three(), map[string][]byte{float: data}, standard)
		text, ok := d.Files[float]
		if !ok {
			return
		}
		if again := Derive(three(), map[string][]byte{float: text}, standard); len(again.Files[float]) > 0 || len(again.Problems) > 0 {
			t.Fatalf("%q became %q, which became %q, %v", data, text, again.Files[float], again.Problems)
		}
	})
}

// TestWhoeverLooksAndWhen: after which of the changes principles were derived makes no difference to what they are in the end.
func TestWhoeverLooksAndWhen(t *testing.T) {
	t.Parallel()
	fate := rapid.SampledFrom([]life.Status{life.Open, life.Fixed, life.Dismissed, life.Carried})
	lines := []string{line, "return a.B(c, d) + e", "x.Close()"}
	rapid.Check(t, func(rt *rapid.T) {
		var records []*record.Record
		day := 0
		for n := range rapid.IntRange(0, 24).Draw(rt, "changes") {
			day += rapid.SampledFrom([]int{0, 1, 9, 40, 200}).Draw(rt, "days")
			records = append(records, closed(n+10, day, "l/r", rapid.SampledFrom(lines).Draw(rt, "line"), rapid.SliceOfN(fate, 0, 2).Draw(rt, "fates")...))
		}
		policy := Policy{Changes: rapid.IntRange(1, 4).Draw(rt, "asked"), Monthly: rapid.IntRange(0, 2).Draw(rt, "monthly"), Fixed: rapid.IntRange(0, 1).Draw(rt, "fixed")}
		files := map[string][]byte{}
		for n := range records {
			if n == len(records)-1 || rapid.Bool().Draw(rt, "look") {
				maps.Copy(files, Derive(records[:n+1], files, policy).Files)
			}
		}
		want := map[string][]byte{}
		maps.Copy(want, Derive(records, nil, policy).Files)
		if fmt.Sprintf("%s", files) != fmt.Sprintf("%s", want) {
			rt.Fatalf("it is\n%s\nwant\n%s", files, want)
		}
	})
}

// TestPeopleBringItBack: what people made active again stays so until somebody dismisses it once more.
func TestPeopleBringItBack(t *testing.T) {
	t.Parallel()
	records := three()
	for n := range 2 {
		records = append(records, closed(4+n, 3+n, "demo-lint/no-float", line, life.Dismissed))
	}
	files := Derive(records, nil, standard).Files
	if !strings.Contains(string(files[float]), "\nstatus: demoted\n") {
		t.Fatalf("%s", files[float])
	}
	files[float] = []byte(strings.Replace(string(files[float]), "\nstatus: demoted", "\nstatus: active", 1))
	if d := Derive(records, files, standard); len(d.Files) > 0 {
		t.Fatalf("what people said is not kept: %s", d.Files)
	}
	records = append(records, closed(6, 5, "demo-lint/no-float", line, life.Fixed))
	maps.Copy(files, Derive(records, files, standard).Files)
	if text := string(files[float]); !strings.Contains(text, "\nstatus: active\n") || !strings.Contains(text, "key: pr-6") {
		t.Fatal(text)
	}
	maps.Copy(files, Derive(append(records, closed(7, 6, "demo-lint/no-float", line, life.Dismissed)), files, standard).Files)
	if text := string(files[float]); !strings.Contains(text, "\nstatus: demoted\n") {
		t.Error(text)
	}
}

// TestDismissedOnTwoBranches: neither of them dismissed it too often, both together did; whoever merged the file did not see that.
func TestDismissedOnTwoBranches(t *testing.T) {
	t.Parallel()
	one, other := closed(4, 3, "demo-lint/no-float", line, life.Dismissed), closed(5, 4, "demo-lint/no-float", line, life.Dismissed)
	ours, theirs := Derive(append(three(), one), nil, standard).Files[float], Derive(append(three(), other), nil, standard).Files[float]
	entry := regexp.MustCompile(`(?m)^  - \{key: pr-5, .*\n`).FindString(string(theirs))
	merged := strings.Replace(string(ours), "authors: ", entry+"authors: ", 1)
	if entry == "" || !strings.Contains(merged, "\nstatus: active\n") {
		t.Fatalf("test bug:\n%s", merged)
	}
	d := Derive(append(three(), one, other), map[string][]byte{float: []byte(merged)}, standard)
	if text := string(d.Files[float]); !strings.Contains(text, "\nstatus: demoted\n") {
		t.Errorf("it became %q", text)
	}
}

// TestNothingIsPromotedBlindly: a file that cannot be read may be about the pattern.
func TestNothingIsPromotedBlindly(t *testing.T) {
	t.Parallel()
	d := Derive(three(), map[string][]byte{Path("ours"): []byte("principle: ours\nstatus: maybe\n")}, standard)
	if len(d.Files) > 0 || len(d.Problems) != 1 {
		t.Errorf("%+v", d)
	}
}

func TestBecause(t *testing.T) {
	t.Parallel()
	dismissed := append(three(), closed(4, 3, "demo-lint/no-float", line, life.Dismissed), closed(5, 4, "demo-lint/no-float", line, life.Dismissed))
	for _, test := range []struct {
		records []*record.Record
		edit    [2]string
		want    string
	}{
		{three(), [2]string{"\nstatus: active", "\nstatus: demoted"}, ""},
		{dismissed, [2]string{}, "dismissed in 2 of its last 5 changes"},
		{append(three(), closed(9, 190, "o/r", "x", life.Open)), [2]string{}, "not found since 2025-11-06"},
	} {
		files := Derive(test.records, nil, standard).Files
		p, err := Read(float, []byte(strings.Replace(string(files[float]), test.edit[0], test.edit[1], 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := Open(test.records, files, standard).Account("demo-lint-no-float").Because(p); got != test.want {
			t.Errorf("%s: %q, want %q", p.Status, got, test.want)
		}
	}
}

// TestSharedReceiver: the name that all flagged lines select from is a part of the check.
func TestSharedReceiver(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ second, line, want string }{
		{"console.log(2);", "console.log(x);", ""},
		{"console.log(2);", "console.log(3);", "1"},
		{"console.log(2);", "Math.log(3);", ""},
		{"console.log(2);", "logger.log(\"start\");", ""},
		{"logger.log(2);", "other.log(3);", "1"},
	} {
		var records []*record.Record
		for i, line := range []string{"console.log(1);", test.second, "console.log(1);"} {
			r := closed(i+1, i, "eslint/no-console", line, life.Open)
			for k := range r.Findings {
				r.Findings[k].Path = "x.ts"
				r.Findings[k].Pattern = match.Pattern("eslint/no-console", "x.ts", line)
			}
			records = append(records, r)
		}
		found := InForce(records, Derive(records, nil, standard).Files).Violations("x.ts", []string{test.line}, func(int) bool { return true })
		got := ""
		if len(found) > 0 {
			got = fmt.Sprint(found[0].Line)
		}
		if got != test.want {
			t.Errorf("%s: found on line %q, want %q", test.line, got, test.want)
		}
	}
}
