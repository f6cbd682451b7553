package cli_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// TestGreenBranchesStayGreen combines branches of random histories in every way that git has. Where two states that pass a check are
// combined without a conflict, the outcome passes too, or an update changes a page.
func TestGreenBranchesStayGreen(t *testing.T) {
	t.Parallel()
	origin := newRepo(t)
	origin.writeAll(village)
	origin.commit("Found the village")
	origin.update()
	origin.commit("Document it")
	top := t.TempDir()
	names, combined := slices.Sorted(maps.Keys(teamwork)), 0
	rapid.Check(t, func(rt *rapid.T) {
		m := found(rt, top, origin)
		for _, branch := range []string{"left", "right"} {
			m.git("switch", "--quiet", "--create", branch, "main")
			m.edit()
			m.share()
		}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 4, testmode.Of(8, 24)).Draw(rt, "actions") {
			rt.Logf("%s", name)
			teamwork[name](m)
		}
		for range 2 {
			if m.combine() {
				combined++
			}
		}
		m.settle()
	})
	if combined == 0 {
		t.Error("no two states that pass were combined")
	}
}

// teamwork lists the actions of people on branches. Some have two names, to be drawn more often.
var teamwork = map[string]func(*machine){
	"edit": (*machine).edit, "edit more": (*machine).edit, "add": (*machine).add, "move": (*machine).move,
	"rename module": (*machine).renameModule, "readme": (*machine).readme,
	"branch": (*machine).branch, "switch": (*machine).switchTo, "commit": (*machine).commitAll,
	"update and commit": (*machine).share, "update and commit more": (*machine).share, "update and commit most": (*machine).share,
	"combine": combine, "combine more": combine, "combine most": combine, "clone": (*machine).clone,
}

// share updates and commits, as `git commit --all` does: a new session stays untracked then.
func (m *machine) share() {
	m.refresh()
	if pick(m, "commit", "--all", "everything") == "everything" {
		m.commitAll()
		return
	}
	m.git("add", "--all", "--", ".", ":!.causal/frames")
	m.git("add", "--update")
	m.commits++
	m.git("commit", "--quiet", "--allow-empty", "--message=Something happened")
}

// combinations are the ways to bring one branch into another. Each is a list of git commands.
var combinations = map[string][][]string{
	"merge":       {{"merge", "--quiet", "--no-edit", "OTHER"}},
	"squash":      {{"merge", "--quiet", "--squash", "OTHER"}, {"commit", "--quiet", "--allow-empty", "--message=Squash"}},
	"rebase":      {{"rebase", "--quiet", "OTHER"}},
	"cherry-pick": {{"cherry-pick", "--allow-empty", "OTHER"}},
	"revert":      {{"revert", "--no-edit", "HEAD~1"}},
}

func combine(m *machine) { m.combine() }

// combine brings another branch into this one, and reports whether both passed before and git found no conflict.
func (m *machine) combine() bool {
	m.commitAll()
	how, other := pick(m, "how", slices.Sorted(maps.Keys(combinations))...), pick(m, "branch", "main", "left", "right")
	if _, err := m.tryGit("rev-parse", "--verify", "--quiet", other); err != nil {
		return false
	}
	green := m.run("check").code == 0 && m.greenAt(other)
	for _, args := range combinations[how] {
		args = slices.Clone(args)
		if i := slices.Index(args, "OTHER"); i >= 0 {
			args[i] = other
		}
		if _, err := m.tryGit(args...); err != nil {
			_, _ = m.tryGit(args[0], "--abort")
			m.git("reset", "--quiet", "--hard")
			return false
		}
	}
	if !green || m.run("check").code == 0 {
		return green
	}
	before := m.files("docs")
	why := m.run("check")
	m.refresh()
	if difference(before, m.files("docs")) == "" {
		m.t.Fatalf("%s of two states that pass: the outcome fails, and no page changes\n%s", how, why)
	}
	m.commitAll()
	return true
}

// greenAt reports whether a check passes in a fresh clone of a branch.
func (m *machine) greenAt(branch string) bool {
	return m.cloned("--branch", branch).run("check").code == 0
}

// clone checks the last commit in a fresh clone.
func (m *machine) clone() {
	m.share()
	m.git("branch", "--force", "here")
	r := m.cloned(append([]string{"--branch", "here"}, pick(m, "how", nil, []string{"--depth=1"}, []string{"--config=core.autocrlf=true"})...)...)
	r.causal(0, "check")
}

// cloned is a clone of the repository.
func (m *machine) cloned(options ...string) *repo {
	dir, err := os.MkdirTemp(filepath.Dir(m.dir), "clone-")
	if err != nil {
		m.t.Fatalf("%v", err)
	}
	m.git(append(append([]string{"clone", "--quiet"}, options...), "file://"+filepath.ToSlash(m.dir), dir)...)
	r := *m.repo
	r.dir = dir
	return &r
}

// TestSymbolsOfBranchesMerge: two branches that add the first and the last symbol of a file merge, with their pages.
func TestSymbolsOfBranchesMerge(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("go.mod", "module example.com/shop\n")
	r.write("money/money.go", "package money\n\nfunc Beta() {}\n\nfunc Gamma() {}\n")
	r.commit("Open the shop")
	r.update()
	r.commit("Document it")
	for branch, edit := range map[string][2]string{"first": {"func Beta", "func Aaa() {}\n\nfunc Beta"}, "last": {"func Gamma() {}\n", "func Gamma() {}\n\nfunc Zzz() {}\n"}} {
		r.git("switch", "--quiet", "--create", branch, "main")
		r.replace("money/money.go", edit[0], edit[1])
		r.update()
		r.commit("Add to it")
	}
	r.git("switch", "--quiet", "first")
	r.git("merge", "--quiet", "--no-edit", "last")
	r.causal(cli.ExitClean, "check")
}
