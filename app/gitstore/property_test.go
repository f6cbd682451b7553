package gitstore_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"pgregory.net/rapid"
)

// scratch gives a rapid check a directory of its own, which is removed at its end.
func scratch(rt *rapid.T) string {
	dir, err := os.MkdirTemp("", "gitstore-")
	if err != nil {
		rt.Fatalf("%v", err)
	}
	rt.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// quickInit makes a repository with an identity in two processes fewer than newFixture.
func quickInit(rt *rapid.T) *fixture {
	f := &fixture{t: rt, dir: scratch(rt)}
	f.git("init", "--quiet", "--initial-branch=main", "--template=")
	config, err := os.ReadFile(f.path(".git/config"))
	f.must(err)
	f.write(".git/config", string(config)+"[user]\n\tname = Ada\n\temail = ada@example.com\n")
	return f
}

// statuses returns what both adapters say of a repository, the git binary first.
func statuses(t *testing.T, rt *rapid.T, dir string) [2]gitstore.Status {
	var all [2]gitstore.Status
	for i, adapter := range adapters {
		repo, err := gitstore.OpenWith(t.Context(), dir, adapter)
		if err == nil {
			all[i], err = repo.Status(t.Context())
		}
		if err != nil {
			rt.Fatalf("%s: %v", adapter, err)
		}
	}
	return all
}

// TestIgnoreRulesAsInGit holds our ignore rules against git's, over random patterns and names.
func TestIgnoreRulesAsInGit(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{
		"a", "b", "ab", "a*", "*b", "*", "**", "?", "a?b", "[ab]", "[!a]", "[^b]*", "[a-c]", "[[:alpha:]]", "[]a]",
		"[a", `\a`, `\*`, "a**b", "*.x", "a.x", "é", "[[:digit:]x]", "a b", "[!]]", `[\a-c]`, "[a-", "[[:foo:]]",
	})
	name := rapid.SampledFrom([]string{"a", "b", "ab", "axb", "*", "a.x", "b.x", "é", "]", "[a", "a b", "1", "B", "abb", "a "})
	rule := rapid.Custom(func(rt *rapid.T) string {
		body := strings.Join(rapid.SliceOfN(part, 1, 3).Draw(rt, "parts"), "/")
		prefix := rapid.SampledFrom([]string{"", "", "", "!", "/", "!/", "#", `\!`, "**/"}).Draw(rt, "prefix")
		return prefix + body + rapid.SampledFrom([]string{"", "", "", "/", "/**", " ", `\ `, "\r", "  "}).Draw(rt, "suffix")
	})
	rapid.Check(t, func(rt *rapid.T) {
		f := quickInit(rt)
		for _, path := range rapid.SliceOfNDistinct(rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(name, 1, 4).Draw(rt, "path"), "/")
		}), 1, 25, rapid.ID).Draw(rt, "files") {
			if info, err := os.Lstat(f.path(path)); err != nil || !info.IsDir() {
				_ = os.MkdirAll(f.path(path), 0o755)
				_ = os.Remove(f.path(path))
				_ = os.WriteFile(f.path(path), nil, 0o644) // one that stands in another's way is left out
			}
		}
		f.write(".gitignore", strings.Join(rapid.SliceOfN(rule, 1, 6).Draw(rt, "rules"), "\n"))
		if info, err := os.Stat(f.path("a")); err == nil && info.IsDir() {
			f.write("a/.gitignore", strings.Join(rapid.SliceOfN(rule, 0, 3).Draw(rt, "rules of a"), "\n"))
		}
		f.write(".git/info/exclude", strings.Join(rapid.SliceOfN(rule, 0, 2).Draw(rt, "rules of the repository"), "\n"))
		all := statuses(t, rt, f.dir)
		equalLines(rt, "untracked", brief(all[1].Changes), brief(all[0].Changes))
	})
}

// TestAdaptersAgree holds the adapters against each other, and both listings against what git would commit, after
// random changes to work tree and index.
func TestAdaptersAgree(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "d/a", "d/b", "d/e/a", "f", "g/a", "a b"}
	content := rapid.SampledFrom([]string{"", "1", "2", "1\r\n"})
	rapid.Check(t, func(rt *rapid.T) {
		f := quickInit(rt)
		put := func(name string) { f.alter(name, rapid.IntRange(0, 5).Draw(rt, "act"), content.Draw(rt, "content")) }
		for _, name := range names {
			put(name)
		}
		if rapid.Bool().Draw(rt, "born") {
			f.commit("base")
		}
		some := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 5, rapid.ID)
		for _, name := range some.Draw(rt, "changed before staging") {
			put(name)
		}
		_, _ = f.try("add", "--all", "--", rapid.SampledFrom([]string{"a", "d", "g", "."}).Draw(rt, "staged"))
		forget := rapid.SampledFrom([]string{"a", "d", "g/a", "none"}).Draw(rt, "forgotten")
		_, _ = f.try("rm", "--quiet", "--cached", "-r", "--ignore-unmatch", "--", forget)
		for _, name := range some.Draw(rt, "changed after staging") {
			put(name)
		}
		all := statuses(t, rt, f.dir)
		equalLines(rt, "status", brief(all[1].Changes), brief(all[0].Changes))
		if !slices.Equal(all[0].Changes, all[1].Changes) || all[0].Head != all[1].Head || all[0].Branch != all[1].Branch {
			rt.Fatalf("git: %+v\ngo-git: %+v", all[0], all[1])
		}
		want := f.staged()
		for _, adapter := range adapters {
			repo, err := gitstore.OpenWith(t.Context(), f.dir, adapter)
			f.must(err)
			snapshot, err := workTree(t.Context(), repo)
			f.must(err)
			equalLines(rt, "work tree by "+adapter.String(), listing(snapshot.entries), want)
		}
	})
}

// alter puts something else at a path: a file, an executable, a link, nothing; what stands in the way gives way.
func (f *fixture) alter(name string, act int, content string) {
	for i := range name {
		if name[i] != '/' {
			continue
		}
		if info, err := os.Lstat(f.path(name[:i])); err == nil && !info.IsDir() {
			f.remove(name[:i])
		}
	}
	f.remove(name)
	switch act {
	case 0:
	case 1:
		f.link(name, "target"+content)
	case 2:
		f.write(name, content)
		f.chmod(name, 0o755)
	case 3:
		f.write(name+"/x", content)
	default:
		f.write(name, content)
	}
}
