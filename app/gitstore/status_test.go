package gitstore_test

import (
	"os"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/gitstore"
)

// base is the commit that most scenarios start from.
func base(f *fixture) {
	if !f.become(commitOfBase) {
		commitOfBase.build(f)
	}
}

var commitOfBase = &template{build: func(f *fixture) {
	f.write("a.txt", "a\n")
	f.write("b.txt", "b\n")
	f.write("dir/c.txt", "c\n")
	f.write("dir/run.sh", "#!/bin/sh\n")
	f.chmod("dir/run.sh", 0o755)
	f.link("link", "a.txt")
	f.write(".gitignore", "*.log\n/build/\n")
	f.commit("base")
}}

// scenario is a state of a work tree, and how it differs from HEAD.
type scenario struct {
	name  string
	build func(f *fixture)
	want  []string
	// unlike means that `git add --all` would not store the content on disk, or not keep HEAD's entry for a missing file.
	unlike bool
}

var scenarios = []scenario{
	{name: "clean", build: base},
	{name: "modified", build: func(f *fixture) { base(f); f.write("a.txt", "A\n") },
		want: []string{"modified regular a.txt"}},
	{name: "same size and time", build: func(f *fixture) {
		base(f)
		f.git("update-index", "--refresh", "-q") // the index knows the size and time of this copy
		info, err := os.Stat(f.path("a.txt"))
		f.must(err)
		f.write("a.txt", "z\n")
		f.must(os.Chtimes(f.path("a.txt"), info.ModTime(), info.ModTime()))
	}, want: []string{"modified regular a.txt"}},
	{name: "touched only", build: func(f *fixture) { base(f); f.write("a.txt", "a\n") }},
	{name: "deleted", build: func(f *fixture) { base(f); f.remove("dir") },
		want: []string{"deleted dir/c.txt", "deleted dir/run.sh"}},
	{name: "untracked", build: func(f *fixture) {
		base(f)
		f.write("new/deep/x.txt", "x")
		f.write("new/run", "x")
		f.chmod("new/run", 0o755)
		f.link("new/link", "nowhere")
		f.must(os.MkdirAll(f.path("empty/dir"), 0o755))
	}, want: []string{"untracked regular new/deep/x.txt", "untracked symlink new/link", "untracked executable new/run"}},
	{name: "ignored", build: func(f *fixture) { base(f); f.write("x.log", "x"); f.write("build/out.txt", "x") }},
	{name: "ignored by the repository's exclude file", build: func(f *fixture) {
		base(f)
		f.write(".git/info/exclude", "*.tmp\n")
		f.write("dir/x.tmp", "x")
		f.write("x.txt", "x")
	}, want: []string{"untracked regular x.txt"}},
	{name: "ignored by the first of an empty range", build: func(f *fixture) {
		base(f)
		f.write(".git/info/exclude", "[x-/[^b]*\n")
		f.write("x", "")
		f.write("y", "")
	}, want: []string{"untracked regular y"}},
	{name: "ignored but tracked", build: func(f *fixture) {
		base(f)
		f.write("kept.log", "1")
		f.git("add", "--force", "kept.log")
		f.commitStaged("log")
		f.write("kept.log", "2")
	}, want: []string{"modified regular kept.log"}},
	{name: "executable bit", build: func(f *fixture) { base(f); f.chmod("a.txt", 0o755); f.chmod("dir/run.sh", 0o644) },
		want: []string{"modified executable a.txt", "modified regular dir/run.sh"}},
	{name: "core.fileMode=false", build: func(f *fixture) {
		base(f)
		f.git("config", "core.fileMode", "false")
		f.chmod("a.txt", 0o755)
		f.write("dir/run.sh", "changed")
		f.chmod("dir/run.sh", 0o644)
		f.write("new", "x")
		f.chmod("new", 0o755)
	}, want: []string{"modified executable dir/run.sh", "untracked regular new"}},
	{name: "types", build: func(f *fixture) {
		base(f)
		f.remove("a.txt")
		f.link("a.txt", "b.txt")
		f.remove("link")
		f.write("link", "a.txt")
	}, want: []string{"modified symlink a.txt", "modified regular link"}},
	{name: "link target", build: func(f *fixture) { base(f); f.remove("link"); f.link("link", "b.txt") },
		want: []string{"modified symlink link"}},
	{name: "file becomes directory", build: func(f *fixture) { base(f); f.remove("a.txt"); f.write("a.txt/x", "x") },
		want: []string{"deleted a.txt", "untracked regular a.txt/x"}},
	{name: "directory becomes file", build: func(f *fixture) { base(f); f.remove("dir"); f.write("dir", "x") },
		want: []string{"untracked regular dir", "deleted dir/c.txt", "deleted dir/run.sh"}},
	{name: "directory becomes link to its copy", build: func(f *fixture) {
		base(f)
		f.must(os.Rename(f.path("dir"), f.path("moved")))
		f.link("dir", "moved")
	}, want: []string{
		"untracked symlink dir", "deleted dir/c.txt", "deleted dir/run.sh", "untracked regular moved/c.txt",
		"untracked executable moved/run.sh",
	}},
	{name: "renamed", build: func(f *fixture) { base(f); f.git("mv", "a.txt", "z.txt") },
		want: []string{"deleted a.txt", "added regular z.txt"}},
	{name: "staged", build: func(f *fixture) {
		base(f)
		f.write("a.txt", "A\n")
		f.write("new", "n")
		f.git("add", "a.txt", "new")
	}, want: []string{"modified regular a.txt", "added regular new"}},
	{name: "staged, then changed again", build: func(f *fixture) {
		base(f)
		f.write("a.txt", "A\n")
		f.write("new", "n")
		f.git("add", "a.txt", "new")
		f.write("a.txt", "AA\n")
		f.write("new", "nn")
	}, want: []string{"modified regular a.txt", "added regular new"}},
	{name: "staged, then taken back on disk", build: func(f *fixture) {
		base(f)
		f.write("a.txt", "A\n")
		f.write("new", "n")
		f.git("add", "a.txt", "new")
		f.write("a.txt", "a\n")
		f.remove("new")
	}},
	{name: "staged, then deleted on disk", build: func(f *fixture) {
		base(f)
		f.write("a.txt", "A\n")
		f.git("add", "a.txt")
		f.remove("a.txt")
	}, want: []string{"deleted a.txt"}},
	{name: "staged mode taken back", build: func(f *fixture) {
		base(f)
		f.git("update-index", "--chmod=+x", "a.txt")
	}},
	{name: "staged as deleted, there on disk", build: func(f *fixture) {
		base(f)
		f.git("rm", "--quiet", "--cached", "a.txt", "b.txt")
		f.write("b.txt", "B\n")
	}, want: []string{"modified regular b.txt"}},
	{name: "staged as deleted, there on disk, ignored", build: func(f *fixture) {
		base(f)
		f.write("kept.log", "1")
		f.git("add", "--force", "kept.log")
		f.commitStaged("log")
		f.git("rm", "--quiet", "--cached", "kept.log")
	}, unlike: true},
	{name: "staged as deleted, a directory on disk", build: func(f *fixture) {
		base(f)
		f.git("rm", "--quiet", "a.txt")
		f.write("a.txt/x", "x")
	}, want: []string{"deleted a.txt", "untracked regular a.txt/x"}},
	{name: "staged as deleted, behind a link on disk", build: func(f *fixture) {
		base(f)
		f.git("rm", "--quiet", "--cached", "-r", "dir")
		f.must(os.Rename(f.path("dir"), f.path("moved")))
		f.link("dir", "moved")
	}, want: []string{
		"untracked symlink dir", "deleted dir/c.txt", "deleted dir/run.sh", "untracked regular moved/c.txt",
		"untracked executable moved/run.sh",
	}},
	{name: "intent to add", build: func(f *fixture) {
		base(f)
		f.write("new", "n")
		f.write("gone", "n")
		f.write("empty", "")
		f.git("add", "--intent-to-add", "new", "gone", "empty")
		f.remove("gone")
	}, want: []string{"added regular empty", "added regular new"}},
	{name: "intent to add what HEAD has", build: func(f *fixture) {
		base(f)
		f.git("rm", "--quiet", "--cached", "a.txt", "b.txt")
		f.write("b.txt", "B")
		f.git("add", "--intent-to-add", "a.txt", "b.txt")
	}, want: []string{"modified regular b.txt"}},
	{name: "assume unchanged", build: func(f *fixture) {
		base(f)
		f.git("update-index", "--assume-unchanged", "a.txt")
		f.write("a.txt", "changed in secret\n")
	}, unlike: true},
	{name: "assume unchanged in index version 4", build: func(f *fixture) {
		base(f)
		f.git("update-index", "--index-version=4")
		f.git("update-index", "--assume-unchanged", "a.txt")
		f.write("a.txt", "changed in secret\n")
		f.write("dir/c.txt", "C")
	}, want: []string{"modified regular dir/c.txt"}, unlike: true},
	{name: "sparse checkout", build: func(f *fixture) {
		base(f)
		f.git("sparse-checkout", "set", "--no-cone", "/*", "!/dir/")
		f.write("a.txt", "A")
	}, want: []string{"modified regular a.txt"}},
	{name: "sparse checkout with a file that is there all the same", build: func(f *fixture) {
		base(f)
		f.git("sparse-checkout", "set", "--no-cone", "/*", "!/dir/")
		f.write("dir/c.txt", "C")
	}, want: []string{"modified regular dir/c.txt"}, unlike: true},
	{name: "skip-worktree without sparse checkout", build: func(f *fixture) {
		base(f)
		f.git("update-index", "--skip-worktree", "a.txt")
		f.write("a.txt", "mine")
	}, unlike: true},
	{name: "unborn", build: func(f *fixture) {
		f.write("a.txt", "a")
		f.write("b.txt", "b")
		f.git("add", "a.txt")
	}, want: []string{"added regular a.txt", "untracked regular b.txt"}},
	{name: "empty", build: func(*fixture) {}},
	{name: "detached", build: func(f *fixture) { base(f); f.git("checkout", "--quiet", "--detach"); f.write("a.txt", "A") },
		want: []string{"modified regular a.txt"}},
	{name: "unmerged", build: conflict, want: []string{
		"unmerged regular a.txt", "unmerged regular b.txt", "added regular theirs.txt",
	}},
	{name: "unmerged, removed on disk", build: func(f *fixture) { conflict(f); f.remove("a.txt") }, want: []string{
		"unmerged a.txt", "unmerged regular b.txt", "added regular theirs.txt",
	}},
	{name: "unusual names", build: unusual, want: []string{
		"untracked regular  lead", "untracked regular !bang", "untracked regular \"quoted\"", "untracked regular #hash",
		"untracked regular -dash", "modified regular a b", "untracked regular back\\slash", "untracked regular cafe\u0301",
		"untracked regular caf\u00e9", "untracked regular latin-\xe9", "untracked regular new\nline",
		"untracked regular tab\there", "untracked regular trail ", "untracked regular \u65e5\u672c\u8a9e",
	}},
	{name: "core.precomposeunicode", build: func(f *fixture) {
		f.git("config", "core.precomposeunicode", "true")
		f.write("cafe\u0301", "nfd")
		f.commit("nfd")
		f.write("caf\u00e9", "nfc")
	}, want: []string{"untracked regular caf\u00e9"}},
	{name: "core.autocrlf=true", build: func(f *fixture) {
		crlf(f)
		f.write("a.txt", "one\r\ntwo\r\n")
		f.write("b.txt", "one\r\nTWO\r\n")
	}, want: []string{"modified regular b.txt"}, unlike: true},
	{name: "core.autocrlf=true, other line ends than checked out", build: func(f *fixture) {
		crlf(f)
		f.write("a.txt", "one\ntwo\n")
	}, want: []string{"modified regular a.txt"}},
	{name: "core.autocrlf=true, staged and taken back", build: func(f *fixture) {
		f.write("a.txt", "one\ntwo\n")
		f.commit("lf")
		f.git("config", "core.autocrlf", "true")
		f.write("a.txt", "three\r\n")
		f.git("add", "a.txt")
		f.write("a.txt", "one\r\ntwo\r\n")
	}, unlike: true},
	{name: "core.autocrlf=true, binary", build: func(f *fixture) {
		f.write("a.bin", "\x00one\n")
		f.commit("lf")
		f.git("config", "core.autocrlf", "true")
		f.write("a.bin", "\x00one\r\n")
	}, want: []string{"modified regular a.bin"}},
	{name: "nested repository", build: func(f *fixture) {
		base(f)
		initIn(f.t, mkdir(f, "nested")).write("x", "x")
		f.write("nested/deep/y", "y")
		f.write("other/.git/x", "x")
		f.write("other/y", "y")
	}, want: []string{"untracked regular other/y"}, unlike: true},
	{name: "submodule changed inside", build: func(f *fixture) {
		withSubmodule(f)
		f.write("sub/a.txt", "changed")
		f.write("sub/new", "new")
	}},
	{name: "submodule at another commit", build: func(f *fixture) {
		withSubmodule(f)
		f.git("-C", "sub", "-c", "user.name=a", "-c", "user.email=b", "commit", "--quiet", "--allow-empty", "-m", "x")
	}, unlike: true},
	{name: "submodule removed on disk", build: func(f *fixture) { withSubmodule(f); f.remove("sub") }, unlike: true},
	{name: "submodule removed", build: func(f *fixture) { withSubmodule(f); f.git("rm", "--quiet", "sub") },
		want: []string{"modified regular .gitmodules"}, unlike: true},
	{name: "submodule replaced by a file on disk", build: func(f *fixture) {
		withSubmodule(f)
		f.remove("sub")
		f.write("sub", "file")
	}, unlike: true},
	{name: "submodule replaced by a file", build: func(f *fixture) {
		withSubmodule(f)
		f.git("rm", "--quiet", "sub")
		f.write("sub", "file")
		f.git("add", "sub")
	}, want: []string{"modified regular .gitmodules", "modified regular sub"}},
	{name: "file replaced by a submodule", build: func(f *fixture) {
		base(f)
		f.remove("a.txt")
		sub := initIn(f.t, mkdir(f, "a.txt"))
		sub.commitStaged("sub")
		f.git("add", "a.txt")
	}, want: []string{"modified submodule a.txt"}, unlike: true},
	{name: "submodule added", build: func(f *fixture) {
		base(f)
		initIn(f.t, mkdir(f, "sub")).commitStaged("sub")
		f.git("add", "sub")
	}, unlike: true},
}

func mkdir(f *fixture, name string) string {
	f.must(os.MkdirAll(f.path(name), 0o755))
	return f.path(name)
}

// crlf has checked out files with line ends that the commit has not.
func crlf(f *fixture) {
	f.write("a.txt", "one\ntwo\n")
	f.write("b.txt", "one\ntwo\n")
	f.commit("lf")
	f.git("config", "core.autocrlf", "true")
	f.remove("a.txt")
	f.remove("b.txt")
	f.git("checkout", "--quiet", "--", ".")
	if content, err := os.ReadFile(f.path("a.txt")); err != nil || string(content) != "one\r\ntwo\r\n" {
		f.t.Fatalf("git wrote %q, %v", content, err)
	}
}

// withSubmodule has base and a submodule whose files are there.
func withSubmodule(f *fixture) {
	base(f)
	sub := initIn(f.t, mkdir(f, "origin"))
	base(sub)
	f.git("submodule", "--quiet", "add", "./origin", "sub")
	f.write(".git/info/exclude", "/origin/\n")
	f.commit("submodule")
}

// conflict is in the middle of a merge: a.txt changed on both sides, b.txt was changed and deleted.
func conflict(f *fixture) {
	base(f)
	diverge(f)
}

// diverge makes the conflict out of base.
func diverge(f *fixture) {
	f.git("checkout", "--quiet", "-b", "side")
	f.write("a.txt", "theirs\n")
	f.write("b.txt", "theirs\n")
	f.write("theirs.txt", "t\n")
	f.commit("theirs")
	f.git("checkout", "--quiet", "main")
	f.write("a.txt", "ours\n")
	f.remove("b.txt")
	f.commit("ours")
	if out, err := f.try("merge", "side"); err == nil {
		f.t.Fatalf("merge has no conflict: %s", out)
	}
}

func unusual(f *fixture) {
	f.write("a b", "1")
	f.commit("base")
	f.write("a b", "2")
	for _, name := range []string{
		" lead", "!bang", "\"quoted\"", "#hash", "-dash", "back\\slash", "cafe\u0301", "caf\u00e9", "latin-\xe9",
		"new\nline", "tab\there", "trail ", "\u65e5\u672c\u8a9e",
	} {
		f.write(name, name)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			s.build(f)
			repo := open(t, gitstore.CLI, f.dir)
			snapshot, err := workTree(t.Context(), repo)
			if err != nil {
				t.Fatal(err)
			}
			checkStatus(t, repo, f, s, snapshot.status)
			checkWorkTree(t, f, s, snapshot)
		})
	}
}

func checkStatus(t *testing.T, repo *gitstore.Repo, f *fixture, s scenario, status gitstore.Status) {
	equalLines(t, "status", brief(status.Changes), s.want)
	head, ids := f.head()
	if status.Head != head {
		t.Errorf("head = %q, want %q", status.Head, head)
	}
	ref, err := os.ReadFile(f.path(".git/HEAD"))
	f.must(err)
	branch, onBranch := strings.CutPrefix(strings.TrimSpace(string(ref)), "ref: refs/heads/")
	if onBranch && status.Branch != branch || !onBranch && status.Branch != "" {
		t.Errorf("branch = %q, HEAD is %q", status.Branch, ref)
	}
	if again, err := repo.Branch(t.Context()); err != nil || again != status.Branch {
		t.Errorf("branch = %q, %v; the status says %q", again, err, status.Branch)
	}
	for _, c := range status.Changes {
		if c.Old != ids[c.Path] {
			t.Errorf("%s: old id = %q, want %q", c.Path, c.Old, ids[c.Path])
		}
	}
}

// checkWorkTree compares the listing with what git itself would commit, and the ids with those of its hash-object.
func checkWorkTree(t *testing.T, f *fixture, s scenario, snapshot snapshot) {
	if len(snapshot.unreadable) > 0 {
		t.Errorf("unreadable: %v", snapshot.unreadable)
	}
	if !s.unlike {
		equalLines(t, "work tree", listing(snapshot.entries), f.staged())
	}
	var paths, ids []string
	for _, c := range snapshot.status.Changes {
		if c.Mode == "" && c.New != "" {
			t.Errorf("%s has an id, but is not there", c.Path)
		}
		if c.Mode == gitstore.Regular || c.Mode == gitstore.Executable {
			paths, ids = append(paths, c.Path), append(ids, c.New)
		}
	}
	if len(paths) > 0 {
		equalLines(t, "ids", ids, strings.Fields(f.git(append([]string{"hash-object", "--no-filters", "--"}, paths...)...)))
	}
}
