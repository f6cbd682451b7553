package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

const moneyPage = "docs/causal/modules/money.md"

// obstacles are files at causal's paths. They are never overwritten, and the message says what is in the way, where, and what to do.
var obstacles = []struct {
	name  string
	build func(r *repo, outside string)
	code  int
	says  []string // on standard error
	// mend takes the obstacle away.
	mend func(r *repo)
}{
	{
		name:  "somebody's page",
		build: func(r *repo, _ string) { r.write(moneyPage, "# My own words\n") },
		code:  cli.ExitFindings,
		says:  []string{moneyPage, "was not written by causal and is never overwritten", "move that file away", "docs.dir"},
		mend:  func(r *repo) { r.remove(moneyPage) },
	},
	{
		name:  "somebody's index",
		build: func(r *repo, _ string) { r.write("docs/causal/index.md", "# Welcome\n") },
		code:  cli.ExitFindings,
		says:  []string{"docs/causal/index.md", "never overwritten", "move that file away"},
		mend:  func(r *repo) { r.remove("docs/causal/index.md") },
	},
	{
		name:  "a directory in the place of a page",
		build: func(r *repo, _ string) { r.write(moneyPage+"/x.txt", "x") },
		code:  cli.ExitFindings,
		says:  []string{moneyPage, "is a directory", "move"},
		mend:  func(r *repo) { r.remove(moneyPage) },
	},
	{
		name: "a link in the place of a page",
		build: func(r *repo, _ string) {
			r.write("docs/causal/modules/x", "")
			must(r, os.Symlink("../../../README.md", r.path(moneyPage)))
		},
		code: cli.ExitFindings,
		says: []string{moneyPage, "symbolic link", "move"},
		mend: func(r *repo) { r.remove(moneyPage) },
	},
	{
		name: "a link to nowhere in the place of a page",
		build: func(r *repo, _ string) {
			r.write("docs/causal/modules/x", "")
			must(r, os.Symlink("nowhere", r.path(moneyPage)))
		},
		code: cli.ExitFindings,
		says: []string{moneyPage, "symbolic link", "move"},
		mend: func(r *repo) { r.remove(moneyPage) },
	},
	{
		name: "a link out of the repository in the place of a page",
		build: func(r *repo, outside string) {
			r.write("docs/causal/modules/x", "")
			must(r, os.Symlink(filepath.Join(outside, "note.txt"), r.path(moneyPage)))
		},
		code: cli.ExitFindings,
		says: []string{moneyPage, "symbolic link", "move"},
		mend: func(r *repo) { r.remove(moneyPage) },
	},
	{
		name:  "a documentation directory that lies elsewhere",
		build: func(r *repo, outside string) { must(r, os.Symlink(outside, r.path("docs"))) },
		code:  cli.ExitFailure,
		says:  []string{"docs/causal", "a symbolic link on the way leads outside the repository", "docs.dir"},
		mend:  func(r *repo) { r.remove("docs") },
	},
	{
		name:  "a file in the place of the nodes",
		build: func(r *repo, _ string) { r.write(".causal/nodes", "mine") },
		code:  cli.ExitFailure,
		says:  []string{".causal/nodes", "not a directory"},
		mend:  func(r *repo) { r.remove(".causal/nodes") },
	},
	{
		name:  "a file in the place of the directory",
		build: func(r *repo, _ string) { r.write(".causal", "mine") },
		code:  cli.ExitFailure,
		says:  []string{".causal", "not a directory"},
		mend:  func(r *repo) { r.remove(".causal") },
	},
	{
		name: "a directory of knowledge that lies elsewhere",
		build: func(r *repo, outside string) {
			must(r, os.Symlink(outside, r.path(".causal")))
		},
		code: cli.ExitFailure,
		says: []string{".causal", "a symbolic link", "outside the repository"},
		mend: func(r *repo) { r.remove(".causal") },
	},
}

func TestObstaclesAreNeverOverwritten(t *testing.T) {
	t.Parallel()
	for _, o := range obstacles {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			r := newShop(t)
			outside := filepath.Join(filepath.Dir(r.dir), "outside")
			must(r, os.MkdirAll(outside, 0o755), os.WriteFile(filepath.Join(outside, "note.txt"), []byte("note"), 0o644))
			o.build(r, outside)
			before, readme := r.files(".causal", "docs"), r.read("README.md")
			got := r.causal(o.code, "update")
			for _, text := range o.says {
				if !strings.Contains(got.err, text) {
					t.Errorf("the message does not say %q:\n%s", text, got.err)
				}
			}
			after := r.files(".causal", "docs")
			for name, text := range before {
				if after[name] != text {
					t.Errorf("%s was overwritten", name)
				}
			}
			if r.read("README.md") != readme {
				t.Error("README.md was overwritten")
			}
			if left, err := os.ReadDir(outside); err != nil || len(left) != 1 {
				t.Errorf("outside the repository are %v, %v", left, err)
			}
			if check := r.run("check"); check.code == cli.ExitClean {
				t.Errorf("check finds nothing:\n%s", check)
			}
			o.mend(r)
			r.update()
			r.causal(cli.ExitClean, "check")
			r.remove("docs/causal/modules/x")
			sameAsScratch(t, r)
		})
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	r := newShop(t)
	r.update()
	before := r.knowledge()
	r.replace("money/money.go", "Parse reads", "Parse understands")
	pages := r.path("docs/causal/modules")
	must(r, os.Chmod(pages, 0o555))
	t.Cleanup(func() { _ = os.Chmod(pages, 0o755) })
	if got := r.causal(cli.ExitFailure, "update"); !strings.Contains(got.err, moneyPage) || !strings.Contains(got.err, "permission denied") {
		t.Errorf("the message does not say what cannot be written: %s", got.err)
	}
	if got := r.causal(cli.ExitFindings, "check"); !strings.Contains(got.out, "money") {
		t.Errorf("check says:\n%s", got)
	}
	if r.read(moneyPage) != before[moneyPage] {
		t.Error("the page changed")
	}
	must(r, os.Chmod(pages, 0o755))
	r.update()
	sameAsScratch(t, r)
}
