package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// TestAnyHistoryEndsAsFromScratch runs random histories of a repository with occasional updates. The last update must leave the files of a
// first run.
func TestAnyHistoryEndsAsFromScratch(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.writeAll(village)
	origin.commit("Found the village")
	origin.update()
	origin.commit("Document it")
	top := t.TempDir()
	names := slices.Sorted(maps.Keys(actions))
	rapid.Check(t, func(rt *rapid.T) {
		m := found(rt, top, origin)
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 1, testmode.Of(10, 16)).Draw(rt, "actions") {
			rt.Logf("%s", name)
			actions[name](m)
		}
		m.settle()
	})
}

// village is the repository in which every history begins.
var village = map[string]string{
	"README.md":                "# Village\n\nHouses in three languages, take 0.\n",
	"go.mod":                   "module example.com/village\n\ngo 1.24\n",
	"package.json":             "{\"name\": \"village\"}\n",
	"money/a.go":               goFile("money", "a", "", 0),
	"money/b.go":               goFile("money", "b", "", 0),
	"cart/a.go":                goFile("cart", "a", "money", 0),
	"internal/db/a.go":         goFile("internal/db", "a", "cart", 0),
	"cmd/shop/a.go":            goFile("cmd/shop", "a", "cart", 0),
	"tools/__init__.py":        pythonFile("tools", "__init__", "", 0),
	"tools/report/__init__.py": pythonFile("tools/report", "__init__", "tools/report", 0),
	"tools/report/a.py":        pythonFile("tools/report", "a", "tools/load", 0),
	"tools/load/a.py":          pythonFile("tools/load", "a", "", 0),
	"web/lib/a.ts":             typeScriptFile("web/lib", "a", "", 0),
	"web/lib/index.ts":         typeScriptFile("web/lib", "index", "web/lib", 0),
	"web/ui/a.ts":              typeScriptFile("web/ui", "a", "web/lib", 0),
}

// machine is a repository in the middle of a random history.
type machine struct {
	*repo
	draw *rapid.T
}

// found begins a history in a copy of the origin.
func found(rt *rapid.T, top string, origin *repo) *machine {
	dir, err := os.MkdirTemp(top, "history-")
	if err != nil {
		rt.Fatalf("%v", err)
	}
	rt.Cleanup(func() { _ = os.RemoveAll(dir) })
	r := *origin
	r.t, r.dir = rt, filepath.Join(dir, "repo")
	if err := os.CopyFS(r.dir, os.DirFS(origin.dir)); err != nil {
		rt.Fatalf("%v", err)
	}
	return &machine{&r, rt}
}

func pick[T any](m *machine, what string, from ...T) T {
	return rapid.SampledFrom(from).Draw(m.draw, what)
}

func (m *machine) number() int { return rapid.IntRange(0, 2).Draw(m.draw, "number") }

// actions are edits of a repository, and updates. Repeated ones are more frequent.
var actions = map[string]func(*machine){
	"edit": (*machine).edit, "edit more": (*machine).edit, "edit most": (*machine).edit, "rewrite": (*machine).rewrite,
	"add": (*machine).add, "add more": (*machine).add, "delete": (*machine).delete, "move": (*machine).move, "rename module": (*machine).renameModule,
	"delete module": (*machine).deleteModule, "readme": (*machine).readme, "manifest": (*machine).manifest, "ignore": (*machine).ignore,
	"configure": (*machine).configure, "break": (*machine).breakFile, "link": (*machine).link,
	"commit": (*machine).commitAll, "commit more": (*machine).commitAll, "branch": (*machine).branch, "switch": (*machine).switchTo,
	"switch more": (*machine).switchTo, "merge": (*machine).merge, "merge more": (*machine).merge, "revert": (*machine).revert,
	"reset": (*machine).reset, "stash": (*machine).stash,
	"update": (*machine).refresh, "update more": (*machine).refresh, "update most": (*machine).refresh, "update and commit": (*machine).refreshAndCommit,
	"dry run": (*machine).dryRun, "check": (*machine).check, "update to revision": (*machine).refreshToRevision, "why": (*machine).why,
	"edit node": (*machine).editNode, "edit page": (*machine).editPage, "delete knowledge": (*machine).deleteKnowledge,
	"keep": (*machine).keep, "lose index": (*machine).loseIndex,
}

// refresh updates. Keep blocks must not change.
func (m *machine) refresh() { m.refreshWith() }

func (m *machine) refreshAndCommit() { m.refreshWith("--commit") }

func (m *machine) refreshToRevision() {
	revision := pick(m, "revision", "HEAD", "HEAD~1", "main")
	if _, err := m.tryGit("rev-parse", "--verify", "--quiet", revision); err != nil {
		return // nothing is before the first commit
	}
	m.refreshWith("--rev", revision)
}

func (m *machine) refreshWith(flags ...string) {
	before := m.keeps()
	m.causal(0, append([]string{"update"}, flags...)...)
	if diff := difference(before, m.keeps()); diff != "" {
		m.t.Fatalf("an update changed what a person wrote:\n%s", diff)
	}
}

// keeps are the blocks that people wrote, by page.
func (m *machine) keeps() map[string]string {
	out := map[string]string{}
	for name, text := range m.files("docs/causal") {
		if blocks := keepText.FindAllString(text, -1); len(blocks) > 0 {
			slices.Sort(blocks)
			out[name] = strings.Join(blocks, "\n")
		}
	}
	return out
}

func (m *machine) dryRun() { m.readOnly("update", "--dry-run") }

func (m *machine) why() { m.readOnly("why", pick(m, "target", "money", "tools/report", ".")) }

// check writes nothing; when it finds nothing, an update finds nothing either.
func (m *machine) check() {
	if m.readOnly("check").code == 0 {
		m.nothingToDo()
	}
}

func (m *machine) readOnly(args ...string) result {
	before := m.files(".causal", "docs")
	got := m.run(args...)
	if got.code > 2 {
		m.t.Fatalf("causal %s: %s", strings.Join(args, " "), got)
	}
	if diff := difference(before, m.files(".causal", "docs")); diff != "" {
		m.t.Fatalf("causal %s wrote:\n%s", strings.Join(args, " "), diff)
	}
	return got
}

func (m *machine) nothingToDo() {
	before := m.files(".causal", "docs")
	got := m.causal(0, "update")
	if diff := difference(before, m.files(".causal", "docs")); diff != "" {
		m.t.Fatalf("an update wrote although nothing was stale:\n%s\n%s", got, diff)
	}
}

// settle ends a history: it makes every file readable, and checks the files.
func (m *machine) settle() {
	for _, name := range m.sources() {
		m.mend(name)
	}
	m.refresh()
	m.causal(0, "check")
	m.nothingToDo()
	sameAsScratch(m.t, m.repo)
}
