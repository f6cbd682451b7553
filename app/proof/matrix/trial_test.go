package matrix

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/keep"
)

// trial is one edit of a shop, with its expected effects.
type trial struct {
	row   string // the row of the table
	given []edit // edits before the trial
	edits []edit
	// other is edited on another branch, brought up to date there and merged.
	other []edit
	// uncommitted leaves the edit in the work tree.
	uncommitted bool

	rerun   string // modules that depend on the edited one; no other node may change
	removed string // the modules that are gone
	pages   string // the pages that say something else now; "index" is the entry page, "guide" that for agents, "list" that of the modules, "operations" and "commands" those for operators, "ledger~sales" that of a part of a module, "extensions" that of the extension points, "data" that of the tables
	kept    string // the modules whose last text stays, under a banner, because they cannot be read
}

// language is a shop in one language, with its trials.
type language struct {
	name   string
	root   string   // the directory that the modules are in
	more   []string // modules of the shop that other languages have no need of
	files  map[string]string
	trials []trial
	told   []trial // flows, commands and split pages
}

// outcome is the result of a trial: one cell of the table.
type outcome struct {
	updated, missed, needless, pages []string // modules whose nodes changed
	churned                          int      // pages that changed without need, or should have and did not
}

// expand turns the short names of a trial into sorted module paths.
func (l language) expand(names string) []string {
	out := strings.Fields(names)
	for i, n := range out {
		switch {
		case n == "index" || n == "guide" || n == "list" || n == "operations" || n == "commands" || n == "extensions" || n == "data" || l.root == "":
		case n == ".":
			out[i] = l.root
		default:
			out[i] = l.root + "/" + n
		}
	}
	slices.Sort(out)
	return out
}

// short is the name of a module below the language's root.
func (l language) short(module string) string {
	if module == l.root {
		return "."
	}
	return strings.TrimPrefix(module, l.root+"/")
}

// minus lists the elements of a that are not in b.
func minus(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// documented is the repository of a language's shop with committed, fresh documentation.
func documented(t *testing.T, l language) *repo {
	t.Helper()
	r := newRepo(t, t.TempDir(), l.files)
	if code, _ := r.check(); code == 0 {
		t.Error("check finds nothing stale where nothing is documented")
	}
	r.update()
	r.commit()
	r.git("repack", "-a", "-d", "-q") // it is copied often: few files
	if again := r.update(); len(again.Rerun) > 0 || r.git("status", "--porcelain") != "" {
		t.Errorf("a second update is no no-op: re-ran %v, changed\n%s", again.Rerun, r.git("status", "--porcelain"))
	}
	return r
}

// try runs a trial on a copy of the documented shop. The long run also compares the result with a fresh clone and with an update from
// scratch; by default app/cli.TestAnyHistoryEndsAsFromScratch does so. Checks that do not depend on the language run only with Go by
// default: that check agrees with update, and that reverting the edit restores the files.
func (l language) try(t *testing.T, shop *repo, x trial, long bool) outcome {
	t.Helper()
	r := shop.copy(t)
	r.prepare(x)
	before := r.take()
	r.edit(x)
	edited := r.take()
	var clone *repo
	if long {
		clone = r.copy(t, ".git/causal")
	}
	checked := long || l.name == goShop.name
	var code int
	var stale []string
	if checked {
		code, stale = r.check()
	}
	report := r.update()
	updated := r.take()
	if drift := len(difference(edited.knowledge, updated.knowledge)) > 0 || x.kept != ""; checked && drift != (code == 1) {
		t.Errorf("check before the update: exit code %d, stale %q, and the update changed %v", code, stale, difference(edited.knowledge, updated.knowledge))
	}
	out := l.judge(t, x, report, edited, updated)
	if checked {
		if code, stale := r.check(); (code != 0) != (x.kept != "") {
			t.Errorf("check after the update: exit code %d, stale %q", code, stale)
		}
	}
	settled(t, r, updated)
	if long {
		sameInClone(t, clone, x, code, stale, updated)
	}
	if checked && x.other == nil && len(difference(before.owned, edited.owned)) == 0 {
		l.back(t, r, x, before, updated)
	}
	return out
}

// prepare applies and commits the edits before the trial.
func (r *repo) prepare(x trial) {
	r.t.Helper()
	if x.given == nil {
		return
	}
	for _, e := range x.given {
		e(r)
	}
	r.update()
	r.commit()
}

// edit makes the edits of a trial.
func (r *repo) edit(x trial) {
	r.t.Helper()
	if x.other != nil {
		r.git("checkout", "-q", "-b", "other")
		for _, e := range x.other {
			e(r)
		}
		r.update()
		r.commit()
		r.git("checkout", "-q", "main")
	}
	for _, e := range x.edits {
		e(r)
	}
	if x.other != nil {
		r.update()
		r.commit()
		r.git("merge", "-q", "--no-edit", "other") // fails on a conflict
	} else if !x.uncommitted {
		r.commit()
	}
}

// judge compares the effects of the update with the expected ones.
func (l language) judge(t *testing.T, x trial, report report.Update, edited, updated snapshot) outcome {
	t.Helper()
	want, removed, kept := l.expand(x.rerun), l.expand(x.removed), l.expand(x.kept)
	out := outcome{updated: report.Updated, needless: minus(report.Updated, want)}
	if len(out.needless) > 0 {
		t.Errorf("updated %v, which do not rest on the edit: %v; because %v", report.Updated, out.needless, report.Invalidated)
	}
	if !slices.Equal(report.Removed, removed) {
		t.Errorf("removed %v, want %v", report.Removed, removed)
	}
	if !slices.Equal(report.Stale, kept) {
		t.Errorf("stale %v, want %v", report.Stale, kept)
	}
	for _, m := range kept {
		if !strings.Contains(updated.owned[layout.Page(m)], "> ⚠ **Stale**") {
			t.Errorf("the page of %s has no banner", m)
		}
	}
	if d := difference(edited.sources, updated.sources); len(d) > 0 {
		t.Errorf("update changed files that are not its own: %v", d)
	}
	pages := map[string]bool{}
	for _, name := range difference(edited.owned, updated.owned) {
		m, _ := layout.ModuleOf(name)
		switch {
		case slices.Contains(removed, m):
		case layout.IsPage(name):
			pages[pageOf(name)] = true
		case layout.IsNode(name) && !slices.Contains(want, m):
			t.Errorf("the node of %s was rewritten", m)
		}
	}
	out.pages = slices.Sorted(maps.Keys(pages))
	wanted := l.expand(x.pages)
	out.missed = minus(wanted, out.pages)
	if out.churned = len(minus(out.pages, wanted)) + len(minus(wanted, out.pages)); out.churned > 0 {
		t.Errorf("pages that changed: %v, want %v", out.pages, wanted)
	}
	return out
}

// sameInClone fails t when a fresh clone or an update from scratch gives something else.
func sameInClone(t *testing.T, clone *repo, x trial, code int, stale []string, updated snapshot) {
	t.Helper()
	// reasons differ: a clone knows earlier evidence from frames, a work tree from the last run
	if cloneCode, cloneStale := clone.check(); cloneCode != code || !slices.Equal(named(cloneStale), named(stale)) {
		t.Errorf("check says %d %q, in a fresh clone %d %q", code, stale, cloneCode, cloneStale)
	}
	clone.update()
	if d := difference(clone.take().knowledge, updated.knowledge); len(d) > 0 {
		t.Errorf("in a fresh clone other files come out: %v", d)
	}
	if x.kept == "" { // the last text that could be read is not to be had from scratch
		sameAsFromScratch(t, clone, updated)
	}
}

// named are the modules that a check names, each once, and the number of pages of none.
func named(stale []string) []string {
	var out []string
	for _, line := range stale {
		module, _, _ := strings.Cut(line, " ")
		out = append(out, module)
	}
	return slices.Compact(slices.Sorted(slices.Values(out)))
}

// settled fails t when anything is left to do after an update.
func settled(t *testing.T, r *repo, updated snapshot) {
	t.Helper()
	if again := r.update(); len(again.Rerun)+len(again.Removed)+len(again.PagesWritten) > 0 {
		t.Errorf("an update after the update does something: %+v", again)
	}
	if d := difference(updated.owned, r.take().owned); len(d) > 0 {
		t.Errorf("an update after the update writes %v", d)
	}
}

// sameAsFromScratch fails t when an update of the same sources that knows of no earlier one gives something else.
func sameAsFromScratch(t *testing.T, scratch *repo, updated snapshot) {
	t.Helper()
	for _, name := range []string{".git/causal", ".causal/nodes", ".causal/frames", "docs/causal"} {
		remove(name)(scratch)
	}
	for name, text := range updated.owned {
		if layout.IsPage(name) && (!keep.Ours([]byte(text)) || strings.Contains(text, "causal:keep")) {
			scratch.write(name, text) // a page with a keep block
		}
	}
	scratch.update()
	if d := difference(scratch.take().knowledge, updated.knowledge); len(d) > 0 {
		t.Errorf("from scratch other files come out: %v", d)
	}
}

// back reverts the edit and expects the earlier files.
func (l language) back(t *testing.T, r *repo, x trial, before, updated snapshot) {
	t.Helper()
	for _, name := range difference(before.sources, updated.sources) {
		if text, ok := before.sources[name]; ok {
			r.write(name, text)
		} else {
			remove(name)(r)
		}
	}
	r.update()
	if d := difference(before.knowledge, r.take().knowledge); len(d) > 0 {
		t.Errorf("with the edit taken back other files are there than before: %v", d)
	}
}
