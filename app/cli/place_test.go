package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

func TestEmptyRepository(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.update()
	if got := r.read("docs/causal/index.md"); !strings.Contains(got, "This repository has no source code yet.") {
		t.Errorf("the index says:\n%s", got)
	}
	r.causal(cli.ExitClean, "check")
	sameAsScratch(t, r)
}

// TestRepositoryWithoutCommits: what lies in the work tree counts; with the first commit come its day and its name.
func TestRepositoryWithoutCommits(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.writeAll(shop)
	r.update()
	r.causal(cli.ExitClean, "check")
	before := r.knowledge()
	if tree := r.read(".causal/frames/" + r.sessionOf("money") + ".yml"); !strings.Contains(tree, " - - \"bring") {
		t.Errorf("a session names a commit although there is none:\n%s", tree)
	}
	r.commit("First")
	r.causal(cli.ExitClean, "check")
	r.update()
	if diff := difference(before, r.knowledge()); diff != "" {
		t.Errorf("a commit of what was there changed the knowledge:\n%s", diff)
	}
	sameAsScratch(t, r)
}

func TestSubdirectoryAsArgument(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	r.causal(cli.ExitClean, "update", "money")
	if len(r.nodes()) != 2 {
		t.Errorf("nodes %q", r.nodes())
	}
	inside := *r
	inside.dir = r.path("cart")
	inside.causal(cli.ExitClean, "check")
	inside.causal(cli.ExitClean, "why", "money")
	inside.causal(cli.ExitClean, "check", "..")
	sameAsScratch(t, r)
}

func TestPlacesThatAreNoRepository(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	outside := &repo{t: t, dir: filepath.Join(top, "plain")}
	must(outside, os.Mkdir(outside.dir, 0o755))
	bare := &repo{t: t, dir: filepath.Join(top, "bare.git")}
	must(bare, os.Mkdir(bare.dir, 0o755))
	bare.git("init", "--quiet", "--bare", "--template=")
	for _, c := range []struct {
		name, at string
		says     []string
	}{
		{"a plain directory", outside.dir, []string{outside.dir, "not", "git repository"}},
		{"a bare repository", bare.dir, []string{bare.dir, "work tree"}},
		{"nothing", filepath.Join(top, "nothing"), []string{"nothing", "no such file"}},
	} {
		for _, args := range [][]string{{"update"}, {"check"}, {"init"}, {"config", "verify"}} {
			got := outside.causal(cli.ExitUsage, append(args, c.at)...)
			for _, text := range c.says {
				if !strings.Contains(got.err, text) {
					t.Errorf("%s: causal %s does not say %q: %s", c.name, args, text, got.err)
				}
			}
			if got.out != "" {
				t.Errorf("%s: causal %s prints %q", c.name, args, got.out)
			}
		}
	}
	if left, _ := os.ReadDir(outside.dir); len(left) > 0 {
		t.Errorf("something was written: %v", left)
	}
}

// TestOtherWaysToHaveARepository checks that results depend on the files only, and not on the kind of clone.
func TestOtherWaysToHaveARepository(t *testing.T) {
	t.Parallel()
	for name, get := range map[string]func(r *repo, dir string){
		"shallow clone":   func(r *repo, dir string) { r.git("clone", "--quiet", "--depth=1", "file://"+r.dir, dir) },
		"partial clone":   func(r *repo, dir string) { r.git("clone", "--quiet", "--filter=blob:none", "file://"+r.dir, dir) },
		"linked worktree": func(r *repo, dir string) { r.git("worktree", "add", "--quiet", "-b", "other", dir) },
		"detached head": func(r *repo, dir string) {
			r.git("clone", "--quiet", r.dir, dir)
			there := *r
			there.dir = dir
			there.git("checkout", "--quiet", "--detach")
		},
		"separate git directory": func(r *repo, dir string) { r.git("clone", "--quiet", "--separate-git-dir="+dir+".git", r.dir, dir) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newDocumentedShop(t)
			r.replace("money/money.go", "Parse reads", "Parse understands")
			r.commit("Say it better")
			there := *r
			there.dir = filepath.Join(filepath.Dir(r.dir), "there")
			get(r, there.dir)
			there.causal(cli.ExitFindings, "check")
			there.update()
			there.causal(cli.ExitClean, "check")
			there.causal(cli.ExitClean, "why", "money")
			r.update()
			if diff := difference(r.knowledge(), there.knowledge()); diff != "" {
				t.Errorf("not what the original says (-original +there):\n%s", diff)
			}
			for name := range there.files(".causal") {
				if strings.Contains(name, "/tmp/") || strings.HasSuffix(name, ".db") {
					t.Errorf("%s lies among what is committed", name)
				}
			}
		})
	}
}

// TestWorktreesDoNotDisturbEachOther: each linked work tree remembers its own state.
func TestWorktreesDoNotDisturbEachOther(t *testing.T) {
	t.Parallel()
	r := newShop(t)
	there := *r
	there.dir = filepath.Join(filepath.Dir(r.dir), "there")
	r.git("worktree", "add", "--quiet", "-b", "other", there.dir)
	there.remove("cart")
	for range 2 {
		r.update()
		there.update()
	}
	r.causal(cli.ExitClean, "check")
	there.causal(cli.ExitClean, "check")
	if len(r.nodes()) != 2 || len(there.nodes()) != 1 {
		t.Errorf("nodes %q and %q", r.nodes(), there.nodes())
	}
}
