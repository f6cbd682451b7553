package decisions_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/render/decisions"
)

// pricing is a log, a file for each event, in which a proposal is contradicted, put in another way, and learnt from.
func pricing(t testing.TB) []ledger.Batch {
	t.Helper()
	log, _ := ledger.New(nil)
	add := func(e ledger.Event) ledger.ID {
		e.Actor, e.At = "Ada", "2026-01-02T03:04:05Z"
		added, err := log.Add(e)
		if err != nil {
			t.Fatal(err)
		}
		return added.ID
	}
	usage := add(ledger.Event{Type: ledger.Proposition, Text: "Price by usage <b>only</b>", Source: "https://example.com/notes#2"})
	costs := add(ledger.Event{Type: ledger.Contradiction, Text: "Procurement needs predictable costs", Targets: []ledger.ID{usage}})
	tracks := add(ledger.Event{Type: ledger.Refinement, Text: "Two tracks: seats for enterprises, usage for all others", Resolves: []ledger.ID{costs}})
	add(ledger.Event{Type: ledger.Synthesis, Text: "Price by how value is realized. " + strings.Repeat("It is a long story. ", 20), Targets: []ledger.ID{usage, tracks}})
	add(ledger.Event{Type: ledger.Contradiction, Text: "Nobody can explain two tracks", Targets: []ledger.ID{tracks}, Effect: ledger.Challenges})
	zig := add(ledger.Event{Type: ledger.Proposition, Text: "Write it in Zig", Source: "notes.md:3"})
	add(ledger.Event{Type: ledger.Park, Targets: []ledger.ID{zig}})
	floats := add(ledger.Event{Type: ledger.Proposition, Text: "Amounts are whole cents\n\nWhatever the currency is."})
	add(ledger.Event{Type: ledger.Confirm, Targets: []ledger.ID{floats}})
	tabs := add(ledger.Event{Type: ledger.Proposition, Text: "Indent by tabs"})
	add(ledger.Event{Type: ledger.Contradiction, Text: "The formatter wants blanks", Targets: []ledger.ID{tabs}})
	var out []ledger.Batch
	var lines []string
	for line := range strings.Lines(string(log.Added()[0].Data)) {
		lines = append(lines, line)
		out = append(out, ledger.Batch{Path: ledger.BatchPath([]byte(line)), Data: []byte(line)})
	}
	if len(lines) != 11 {
		t.Fatalf("%d events", len(lines))
	}
	return out
}

func files(batches ...ledger.Batch) map[string]string {
	out := map[string]string{}
	for _, b := range batches {
		out[b.Path] = string(b.Data)
	}
	return out
}

// over is the plugin over a made-up repository.
func over(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) {
	config := decisions.Config{Layout: r.Layout, FrontMatter: true}
	look := survey.New(survey.Config{
		Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: languages.All(), Owned: r.Layout.Owns,
		Excluded: func(string) bool { return false }, MaxBytes: 1 << 20, Settings: survey.Settings("", config.FrontMatter),
	})
	c.World, c.Words = look, survey.Words
	c.Rooms = []engine.Room{ledger.NewRoom(own, look.Own)}
	c.Plugins = []engine.Plugin{decisions.New(config, own)}
}

// TestDecisionsUnderTheSuite runs the conformance suite of plugins. The log is evidence, not output.
func TestDecisionsUnderTheSuite(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t testing.TB) enginetest.Subject {
		log := pricing(t)
		fixture := files(log[0])
		fixture["a.go"] = "package a\n"
		const page = "decisions/page"
		s := enginetest.Prepared(t, fixture, over, []enginetest.Edit{
			{Name: "something else", Files: map[string]string{"a.go": "package a\n\nfunc A() {}\n"}},
			{Name: "an event", Files: files(log[1]), Ran: []string{page}},
			{Name: "two branches merge", Files: files(log[2:5]...), Ran: []string{page}},
			{Name: "the same again in one file", Files: files(batch(log[:2])), Ran: nil},
			{Name: "a file that is no part of the log", Files: map[string]string{".causal/log/README.md": "x\n"}},
			{Name: "many", Files: files(log[5:]...), Ran: []string{page}},
			{Name: "something happened", Files: files(happened(t, log, "")), Ran: nil},
			{Name: "something happened to a module", Files: files(happened(t, log, "module/cart")), Ran: []string{"log/page"}},
			{Name: "something else happened to it", Files: files(happened(t, log, "module/cart", "module/tax")), Ran: []string{"log/page"}},
		}...)
		stored := s.Stored
		s.Stored = func(t testing.TB) map[string][]byte {
			all := stored(t)
			maps.DeleteFunc(all, func(name string, _ []byte) bool { return strings.HasPrefix(name, store.Log+"/") })
			return all
		}
		return s
	})
}

// happened appends the effects of a push to a log, one sentence for each unit.
func happened(t testing.TB, of []ledger.Batch, units ...string) ledger.Batch {
	t.Helper()
	log, problems := ledger.New(of)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	e := ledger.Event{Type: ledger.Happening, Text: fmt.Sprintf("Pushed <b>%d</b>", len(units)), Actor: "Ada", At: "2026-03-04T05:06:07Z", Source: fmt.Sprintf("%040d", len(units))}
	push, err := log.Add(e)
	for _, unit := range units {
		e.Text, e.About, e.Cause, e.Relationship = unit+" is another", unit, push.ID, "it changed it"
		if err == nil {
			_, err = log.Add(e)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return log.Added()[0]
}

// batch is one file with the events of several.
func batch(of []ledger.Batch) ledger.Batch {
	var data []byte
	for _, b := range of {
		data = append(data, b.Data...)
	}
	return ledger.Batch{Path: ledger.BatchPath(data), Data: data}
}
