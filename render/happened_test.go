package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/render/node"
)

// commits is a file of the log for each of some happenings, which say what units they are about.
func commits(t testing.TB, about ...string) (out []map[string]string) {
	t.Helper()
	log, _ := ledger.New(nil)
	push, err := log.Add(ledger.Event{Type: ledger.Happening, Text: "Somebody pushed", Source: strings.Repeat("0123456789", 4), At: "2026-01-02T03:04:05Z"})
	if err != nil {
		t.Fatal(err)
	}
	for i, unit := range about {
		e := ledger.Event{
			Type: ledger.Happening, Text: fmt.Sprintf("Change %d of it <b>", i), About: unit, At: "2026-01-02T03:04:05Z",
			Cause: push.ID, Relationship: "it changed that",
		}
		if _, err := log.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(string(log.Added()[0].Data)) {
		out = append(out, map[string]string{ledger.BatchPath([]byte(line)): line})
	}
	return out
}

func merged(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

// docsOverLog is Living Docs over files and a log.
func docsOverLog(files map[string]string, edits []enginetest.Edit) func(t testing.TB) enginetest.Subject {
	return func(t testing.TB) enginetest.Subject {
		s := enginetest.Prepared(t, files, func(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) {
			config := Config{Layout: r.Layout, FrontMatter: true, Happened: true}
			look := survey.New(survey.Config{
				Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: languages.All(), Owned: r.Layout.Owns,
				Excluded: func(string) bool { return false }, MaxBytes: 1 << 20, Settings: survey.Settings(config.Repository, config.FrontMatter),
			})
			c.World, c.Words, c.Rooms = look, survey.Words, []engine.Room{ledger.NewRoom(own, look.Own)}
			c.Plugins = []engine.Plugin{New(config, own, languages.All(), look.LeftOut)}
		}, edits...)
		s.Plain = func(_ string, content []byte) []byte { return links.ReplaceAll(content, nil) }
		stored := s.Stored
		s.Stored = func(t testing.TB) map[string][]byte {
			all := stored(t)
			maps.DeleteFunc(all, func(name string, _ []byte) bool { return strings.HasPrefix(name, store.Log+"/") })
			return all
		}
		return s
	}
}

// TestHappenedUnderTheSuite checks that an event about a module changes the page of this module only.
func TestHappenedUnderTheSuite(t *testing.T) {
	t.Parallel()
	log := commits(t, "module/a", "module/c", "module/none", "module/a", "module/a", "module/a", "module/a", "module/a")
	enginetest.Run(t, docsOverLog(shop, []enginetest.Edit{
		{Name: "a body", Files: map[string]string{"c/c.go": "package c\n\nfunc C() { C() }\n"}, Ran: []string{"module/c"}},
		{Name: "a push", Files: log[0]},
		{Name: "something happened", Files: log[1], Ran: []string{"page/a"}},
		{Name: "to another", Files: log[2], Ran: []string{"page/c"}},
		{Name: "to what is no module", Files: log[3]},
		{Name: "more", Files: merged(log[4:]...), Ran: []string{"page/a"}},
		{Name: "there is no older one any more", Gone: slices.Collect(maps.Keys(log[1])), Ran: []string{"page/a"}},
	}))
}

// TestHappenedInABundle: what happened to a small module is on the page that it shares, and redoes no other.
func TestHappenedInABundle(t *testing.T) {
	t.Parallel()
	log := commits(t, "module/f/f0", "module/f/f1", "module/other/d0/e", "module/f/f0", "module/f/f0", "module/f/f1", "module/f/f2")
	shared := []string{"page/f/#small"}
	subject := docsOverLog(small(), []enginetest.Edit{
		{Name: "something happened", Files: merged(log[:2]...), Ran: shared},
		{Name: "to another of the page", Files: log[2], Ran: shared},
		{Name: "to one of another page", Files: log[3], Ran: []string{"page/other/d0/e"}},
		{Name: "more than the page tells", Files: merged(log[4:]...), Ran: shared},
	})
	enginetest.Edits(t, subject)
}

func TestHappened(t *testing.T) {
	t.Parallel()
	page := func(repository string, h ledger.Happened) string {
		r := newRepo(t, map[string]string{"money/money.go": "// Package money counts.\npackage money\n"})
		r.pages("")
		g := r.graph()
		g.events = map[string]ledger.Happened{"money": h}
		c := r.config
		c.Repository = repository
		_, section, _ := strings.Cut(pageOf(c, r.previous["money"], g, nil), "## API changes\n\n")
		section, _, _ = strings.Cut(section, "\n\n")
		return section
	}
	commit := strings.Repeat("0123456789", 4)
	h := ledger.Happened{More: true, List: []ledger.Occurrence{
		{Text: "`Login` takes a\n# context <b>now", At: "2026-01-02T03:04:05Z", Source: commit}, {Text: "b", Source: "https://example.com/1"}, {Text: "c", Source: "notes.md#L1"},
		{Text: strings.Repeat("a", 280) + " " + strings.Repeat("b", 40)},
	}}
	want := "- 2026-01-02: \\`Login\\` takes a # context &lt;b>now ([`0123456789`](https://example.com/x/commit/" + commit + "))\n- b ([source](https://example.com/1))\n- c\n- " +
		strings.Repeat("a", 280) + "…\n- Earlier ones: `causal log`"
	if got := page("https://example.com/x", h); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := page("", ledger.Happened{List: h.List[:1]}); !strings.HasSuffix(got, "now (`0123456789`)") {
		t.Errorf("without an address it is %s", got)
	}
	if got := page("", ledger.Happened{}); got != "" {
		t.Errorf("where nothing happened, it says %s", got)
	}
}

// TestHappenedToSmallModules checks that the page of a bundle shows the newest events of all its modules.
func TestHappenedToSmallModules(t *testing.T) {
	t.Parallel()
	g := &fakeGraph{events: map[string]ledger.Happened{
		"f/a": {List: []ledger.Occurrence{{Text: "a 4", At: "2026-01-04"}, {Text: "a 1", At: "2026-01-01"}}},
		"f/b": {List: []ledger.Occurrence{{Text: "b 3", At: "2026-01-03"}, {Text: "b 2", At: "2026-01-02"}, {Text: "b 0", At: "2025-12-31"}, {Text: "b -1", At: "2025-12-30"}}},
	}}
	x := &bundled{sheet: newSheet(Config{}, g, "")}
	want := "## API changes\n\n- 2026-01-04: a 4\n- 2026-01-03: b 3\n- 2026-01-02: b 2\n- 2026-01-01: a 1\n- 2025-12-31: b 0\n- Earlier ones: `causal log`\n\n"
	if got := x.happened([]*node.Node{{Path: "f/a"}, {Path: "f/b"}}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := x.happened([]*node.Node{{Path: "f/c"}}); got != "" {
		t.Errorf("where nothing happened, it says %s", got)
	}
}
