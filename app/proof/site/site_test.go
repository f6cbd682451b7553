package site

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// mermaid is the package with the program that draws diagrams, in the version that the theme of Debian asks for.
const mermaid = "mermaid@8.13.3"

// fixture is a repository with pages, and a site of them.
type fixture struct {
	t    *testing.T
	dir  string // of the repository
	docs string // the document directory, within dir
}

// inLanguages is a repository of several projects, each in another language.
func inLanguages(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t, t.TempDir(), "docs/causal"}
	if err := os.CopyFS(f.dir, os.DirFS("../../../render/testdata/repos")); err != nil {
		t.Fatal(err)
	}
	f.write("README.md", "# Shops\n\nThe same shop in several languages. See [the Go one](go/).\n")
	f.write("tools/tools.go", `// Package tools shows what is hard to show:
//
//   - a list
//   - and [Option] in it
//
// A table | is none, <b> no tag, and *this* no emphasis. See https://example.com/a_b_c.
package tools

// Option sets one of "a|b" or `+"`a|b`"+`.
type Option interface {
	// Apply does it:
	//
	//	for range 2 {
	//		apply()
	//	}
	Apply()
}

type first struct{}

func (first) Apply() {}

type second struct{}

func (second) Apply() {}

// Machine does the work.
type Machine struct{}

// Run does all of it.
func Run() {
	m := &Machine{}
	m.start()
	m.stop()
}

// start begins.
func (m *Machine) start() { m.prepare() }

// prepare sets up.
func (m *Machine) prepare() { clean() }

// clean takes away what was there before.
func clean() {}

// stop ends.
func (m *Machine) stop() { clean() }
`)
	f.begin("shops")
	return f
}

// ownDocs is a copy of this project, with all its documents.
func ownDocs(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t, t.TempDir(), "docs"}
	project := os.DirFS("../../..")
	err := fs.WalkDir(project, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "dist" || name == "bin"):
			return fs.SkipDir
		case !d.Type().IsRegular() || name == ".git": // .git is a file in a linked work tree
			return nil
		}
		data, err := fs.ReadFile(project, name)
		f.write(name, string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f.begin("causal")
	config := filepath.Join(f.dir, "mkdocs.yml")
	f.write("mkdocs.yml", strings.Replace(f.read(config), "docs_dir: docs/causal", "docs_dir: docs", 1))
	return f
}

// begin commits the files, runs causal init --site and causal update. The remote is not on GitHub, because the theme would request the
// number of stars.
func (f *fixture) begin(name string) {
	f.t.Helper()
	for _, args := range [][]string{
		{"init", "-q"}, {"remote", "add", "origin", "https://git.example.com/acme/" + name + ".git"}, {"add", "-A"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "begin"},
	} {
		f.run("git", args...)
	}
	f.causal("init", "--site")
	f.causal("update")
}

func (f *fixture) write(name, text string) {
	f.t.Helper()
	file := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) read(file string) string {
	f.t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(data)
}

func (f *fixture) run(name string, args ...string) string {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), name, args...)
	cmd.Dir = f.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (f *fixture) causal(args ...string) {
	f.t.Helper()
	var out bytes.Buffer
	if code := cli.Run(context.Background(), args, cli.IO{Out: &out, Err: &out, Getenv: os.Getenv, Now: time.Now, Dir: f.dir}); code != cli.ExitClean {
		f.t.Fatalf("causal %s: exit code %d\n%s", strings.Join(args, " "), code, &out)
	}
}

// build builds the site without warnings, and returns its directory. It embeds Mermaid, so the browser needs no network.
func (f *fixture) build() string {
	f.t.Helper()
	if _, err := exec.LookPath("mkdocs"); err != nil {
		f.t.Skip("MkDocs was not found; install mkdocs and mkdocs-material")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		f.t.Skip("npm was not found; it installs Mermaid")
	}
	tmp := f.t.TempDir()
	pack := exec.CommandContext(f.t.Context(), "npm", "pack", "--silent", mermaid)
	pack.Dir = tmp
	if out, err := pack.CombinedOutput(); err != nil {
		f.t.Fatalf("bring %s: %v\n%s", mermaid, err, out)
	}
	archive, err := filepath.Glob(filepath.Join(tmp, "*.tgz"))
	if err != nil || len(archive) != 1 {
		f.t.Fatalf("bring %s: there are %v, %v", mermaid, archive, err)
	}
	f.run("tar", "-xzf", archive[0], "-C", tmp, "package/dist/mermaid.min.js")
	f.write(f.docs+"/mermaid.min.js", f.read(filepath.Join(tmp, "package/dist/mermaid.min.js")))
	f.write("mkdocs.yml", f.read(filepath.Join(f.dir, "mkdocs.yml"))+"extra_javascript: [mermaid.min.js]\n")
	if out := f.run("mkdocs", "build", "--strict"); strings.Contains(out, "WARNING") {
		f.t.Errorf("mkdocs warns:\n%s", out)
	}
	return filepath.Join(f.dir, "site")
}

// sound fails the test if the built site has broken links, or if a page differs from GitHub's rendering.
func (f *fixture) sound(built string) {
	f.t.Helper()
	s, err := read(os.DirFS(built))
	if err != nil {
		f.t.Fatal(err)
	}
	for _, b := range s.broken() {
		f.t.Error(b)
	}
	if links, anchors := s.counts(); len(s.pages) < 15 || links < 500 || anchors < 100 {
		f.t.Errorf("only %d pages with %d links, %d of them to an anchor", len(s.pages), links, anchors)
	}
	pages := os.DirFS(filepath.Join(f.dir, "docs", "causal"))
	within := strings.TrimPrefix("docs/causal", f.docs)
	for name, d := range differences(f.t, pages, os.DirFS(filepath.Join(built, within))) {
		f.t.Errorf("%s differs from GitHub's rendering: %s", name, d)
	}
	guide := f.read(filepath.Join(built, within, "llms.txt"))
	for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(guide, -1) {
		if name := strings.TrimPrefix(within+"/"+m[1], "/"); !s.files[name] {
			f.t.Errorf("llms.txt: %s does not exist", m[1])
		}
	}
}

// finds fails the test where the index of the search does not lead to a place by a name.
func (f *fixture) finds(built, name, place string) {
	f.t.Helper()
	var index struct {
		Docs []struct{ Location, Title string }
	}
	if err := json.Unmarshal([]byte(f.read(filepath.Join(built, "search", "search_index.json"))), &index); err != nil {
		f.t.Fatal(err)
	}
	for _, d := range index.Docs {
		if d.Location == place && strings.Contains(d.Title, name) {
			return
		}
	}
	f.t.Errorf("the search does not find %s at %s", name, place)
}

// long leaves a test with MkDocs and a browser to the long run.
func long(t *testing.T) {
	t.Helper()
	if !testmode.Long() {
		t.Skip("builds a site with MkDocs and opens it in a browser; CAUSAL_LONG=1 runs it")
	}
}

func TestSiteOfSeveralLanguages(t *testing.T) {
	long(t)
	t.Parallel()
	f := inLanguages(t)
	built := f.build()
	f.sound(built)
	f.finds(built, "tools.Option", "modules/tools/#toolsoption")
	b := open(t, built)
	b.look(t, "shops-entry", "")
	b.look(t, "shops-module", "modules/tools/")
	b.look(t, "shops-extensions", "extensions/")
}

func TestSiteOfTheOwnDocs(t *testing.T) {
	long(t)
	t.Parallel()
	f := ownDocs(t)
	built := f.build()
	f.sound(built)
	b := open(t, built)
	b.look(t, "own-entry", "causal/")
	b.look(t, "own-module", "causal/modules/render/")
	b.look(t, "own-commands", "causal/commands/")
}
