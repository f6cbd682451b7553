package rules_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/rules"
)

const (
	float = "sum := float64(net) * 1.2"
	sleep = "time.Sleep(retry * 2)"
)

var standard = principle.Policy{Changes: 3}

// merged is the record of a change that was merged on a day, in which a rule found a line that had a fate.
func merged(t testing.TB, n, day int, rule, line string, fate life.Status) *record.Record {
	t.Helper()
	return &record.Record{
		Change: record.Change{
			Key: fmt.Sprintf("pr-%d", n), Base: "base", Head: fmt.Sprintf("%040x", 0xabc0000+n), Outcome: record.Merged,
			At: time.Date(2025, 11, 4, 0, 0, 0, 0, time.UTC).AddDate(0, 0, day), Author: []string{"Ada", "Grace"}[n%2],
		},
		Findings: []record.Finding{{
			ID: fmt.Sprintf("f-%d", n), Rule: rule, Severity: finding.Warning, Path: "cart/gross.go", Line: 5, Quote: line, Message: "Do not.",
			Pattern: match.Pattern(rule, "cart/gross.go", line), Status: fate,
		}},
	}
}

// files are the records as they are kept.
func files(t testing.TB, records ...*record.Record) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, r := range records {
		data, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		out[record.Path(r.Key)] = string(data)
	}
	return out
}

// history are the records of a project: two rules become principles, of which people decline one and the other is not seen any more.
func history(t testing.TB) (before, after []*record.Record) {
	const noFloat, noSleep = "demo-lint/no-float", "demo-lint/no-sleep"
	before = []*record.Record{
		merged(t, 1, 0, noSleep, sleep, life.Fixed), merged(t, 2, 1, noSleep, sleep, life.Open), merged(t, 3, 2, noSleep, sleep, life.Fixed),
		merged(t, 4, 3, noFloat, float, life.Fixed), merged(t, 5, 4, noFloat, float, life.Open),
	}
	return before, []*record.Record{
		merged(t, 6, 5, noFloat, float, life.Carried), merged(t, 7, 6, "other/rule", "x()", life.Open), merged(t, 8, 7, noFloat, float, life.Fixed),
		merged(t, 9, 8, noFloat, float, life.Open), merged(t, 10, 9, noFloat, float, life.Fixed), merged(t, 11, 300, noFloat, float, life.Fixed),
	}
}

const floatFile = ".causal/principles/demo-lint-no-float.yml"

// edited is the file of a principle that follows from records, after people edited it.
func edited(t testing.TB, records []*record.Record, edits ...string) string {
	t.Helper()
	text := string(principle.Derive(records, nil, standard).Files[floatFile])
	if after := strings.NewReplacer(edits...).Replace(text); after != text {
		return after
	}
	t.Fatalf("test bug: nothing to edit in %q", text)
	return ""
}

func edits(t testing.TB) (fixture map[string]string, list []enginetest.Edit) {
	before, after := history(t)
	known := slices.Concat(before, after[:5])
	why := []string{"Reviews found it in 3 merged changes.", "Finance had to mend invoices."}
	const page, float, sleep = "principles/page", "principle/demo-lint-no-float", "principle/demo-lint-no-sleep"
	fixture = files(t, before...)
	fixture["a.go"] = "package a\n"
	return fixture, []enginetest.Edit{
		{Name: "something else", Files: map[string]string{"a.go": "package a\n\nfunc A() {}\n"}},
		{Name: "the third change", Files: files(t, after[0]), Ran: []string{float, page}},
		{Name: "a change with another pattern", Files: files(t, after[1])},
		{Name: "a fourth", Files: files(t, after[2]), Ran: []string{float, page}},
		{Name: "two branches merge", Files: files(t, after[3:5]...), Ran: []string{float, page}},
		{Name: "people reword it", Files: map[string]string{floatFile: edited(t, known, why...)}, Ran: []string{page}},
		{Name: "people decline it", Files: map[string]string{floatFile: edited(t, known, append(why, "status: active", "status: declined")...)}, Ran: []string{page}},
		{Name: "long after", Files: files(t, after[5]), Ran: []string{float, sleep, page}},
	}
}

// over is the plugin over a made-up repository.
func over(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) {
	config := rules.Config{Layout: r.Layout, Repository: "https://example.com/acme/shop", FrontMatter: true}
	look := survey.New(survey.Config{
		Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: languages.All(), Owned: r.Layout.Owns,
		Excluded: func(string) bool { return false }, MaxBytes: 1 << 20, Settings: survey.Settings(config.Repository, config.FrontMatter),
	})
	c.World, c.Words = look, slices.Concat(survey.Words, principle.Words)
	c.Rooms = []engine.Room{rules.NewRecords(own, standard, look.Own)}
	c.Plugins = []engine.Plugin{rules.New(config, own)}
}

// TestPrinciplesUnderTheSuite holds the plugin to what every plugin is held to. Records are what it rests on, and not what it stores.
func TestPrinciplesUnderTheSuite(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t testing.TB) enginetest.Subject {
		fixture, list := edits(t)
		s := enginetest.Prepared(t, fixture, over, list...)
		stored := s.Stored
		s.Stored = func(t testing.TB) map[string][]byte {
			all := stored(t)
			maps.DeleteFunc(all, func(name string, _ []byte) bool { return strings.HasPrefix(name, record.Dir+"/") })
			return all
		}
		return s
	})
}
