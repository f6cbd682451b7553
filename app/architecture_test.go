// Package app_test checks the structure of the repository: which room may import which, where external libraries may be used, and that
// every package has a package comment.
package app_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/causaldocs/causal"

// rooms lists for each room the others that it may import. Dependencies point down only. Plugins import only the core, so no two plugins
// know each other.
var rooms = map[string][]string{
	"main":      {"app"},
	"app":       {"webhooks", "render", "review", "testgen", "knowledge"},
	"webhooks":  {"knowledge"},
	"render":    {"knowledge"},
	"review":    {"knowledge"},
	"testgen":   {"knowledge"},
	"knowledge": {},
}

// homes lists what may be imported in a few places only, by the beginning of its import path.
var homes = []struct {
	imported string
	allowed  []string // directories, with everything below them
	why      string
}{
	{"net/http", []string{"app", "webhooks"}, "the core and the plugins know no network"},
	{"github.com/google/go-github", []string{"app/github", "app/githubsim", "webhooks"}, "GitHub's types stop at the adapter and at the door"},
	{"github.com/bradleyfalzon/ghinstallation", []string{"app/github", "app/githubsim"}, "GitHub's types stop at the adapter"},
	{"github.com/go-git", []string{"app/gitstore"}, "git's types stop at the adapter"},
	{"github.com/spf13", []string{"app/cli"}, "only the command line knows commands and flags"},
	{module + "/app/worktree", []string{"app/worktree", "app/workspace"}, "a repository is opened for a run in one place"},
	{module + "/app/proof", []string{"app/proof"}, "proofs are a module of their own"},
	{module + "/knowledge/index", []string{"knowledge", "app/worktree", "app/workspace"}, "a repository is opened for a run in one place"},
}

// emptyNames do not state the purpose of a package.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "lib"}

// longest is how many lines a file may have that is not a test.
const longest = 500

// file is one Go file of the project.
type file struct {
	name    string // slash-separated, from the root
	test    bool
	lines   int
	pkg     string
	doc     bool
	imports []string
}

func (f file) dir() string { return path.Dir(f.name) }

// roomOf is the room that a directory belongs to; the root holds nothing but main.
func roomOf(dir string) string {
	if dir == "." {
		return "main"
	}
	room, _, _ := strings.Cut(dir, "/")
	return room
}

// files reads every Go file of the project.
func files(t *testing.T) []file {
	t.Helper()
	root := os.DirFS("..")
	var out []file
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := path.Base(name); d.IsDir() && name != "." && (base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_') {
			return fs.SkipDir
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		f, err := read(root, name)
		out = append(out, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"main.go", "knowledge/engine/engine.go", "render/render.go", "app/cli/cli.go"} {
		if !slices.ContainsFunc(out, func(f file) bool { return f.name == want }) {
			t.Fatalf("%s was not found: this test looks in the wrong place", want)
		}
	}
	return out
}

func read(root fs.FS, name string) (file, error) {
	src, err := fs.ReadFile(root, name)
	if err != nil {
		return file{}, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return file{}, err
	}
	f := file{
		name: name, test: strings.HasSuffix(name, "_test.go"), lines: bytes.Count(src, []byte("\n")), pkg: tree.Name.Name,
		doc: says(tree.Doc),
	}
	for _, imp := range tree.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return file{}, err
		}
		f.imports = append(f.imports, p)
	}
	return f, nil
}

// says reports whether a package comment has words in it and not only directives.
func says(doc *ast.CommentGroup) bool { return doc != nil && strings.TrimSpace(doc.Text()) != "" }

func TestArrowsPointDownOnly(t *testing.T) {
	t.Parallel()
	for _, f := range files(t) {
		room := roomOf(f.dir())
		allowed, ok := rooms[room]
		if !ok {
			t.Errorf("%s: no room is called %s; add it to rooms with what it may import", f.name, room)
			continue
		}
		for _, imp := range f.imports {
			dir, ours := strings.CutPrefix(imp, module+"/")
			if to := roomOf(dir); ours && to != room && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s: %s may import %v only", f.name, imp, room, allowed)
			}
		}
	}
}

func TestOutsideWorldComesInAtItsAdapters(t *testing.T) {
	t.Parallel()
	for _, f := range files(t) {
		for _, home := range homes {
			if slices.ContainsFunc(home.allowed, func(dir string) bool { return below(f.dir(), dir) }) {
				continue
			}
			for _, imp := range f.imports {
				if below(imp, home.imported) {
					t.Errorf("%s imports %s, which belongs below %v: %s", f.name, imp, home.allowed, home.why)
				}
			}
		}
	}
}

// below reports whether a path is another one or lies below it.
func below(name, top string) bool { return name == top || strings.HasPrefix(name, top+"/") }

// engineKnows lists the packages that the engine may import. It knows no plugin and nothing of source, so it serves all plugins alike.
var engineKnows = []string{"canonical", "condition", "fact", "frame", "index", "prompt", "session", "state", "store"}

// TestTheEngineKnowsNoPlugin checks imports and names.
func TestTheEngineKnowsNoPlugin(t *testing.T) {
	t.Parallel()
	const engine = "knowledge/engine"
	looked := 0
	for _, f := range files(t) {
		if f.dir() != engine || f.test {
			continue
		}
		looked++
		for _, imp := range f.imports {
			name, ours := strings.CutPrefix(imp, module+"/")
			if room, inner := strings.CutPrefix(name, "knowledge/"); ours && !(inner && slices.Contains(engineKnows, room)) {
				t.Errorf("%s imports %s: the engine may import %v of knowledge only", f.name, imp, engineKnows)
			}
		}
		src, err := os.ReadFile(path.Join("..", f.name))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"module", "page", "node", "finding"} {
			if i := strings.Index(strings.ToLower(string(src)), word); i >= 0 {
				t.Errorf("%s:%d: the engine speaks of a %s, which is a plugin's word", f.name, 1+bytes.Count(src[:i], []byte("\n")), word)
			}
		}
	}
	if looked < 5 {
		t.Errorf("only %d files of the engine were found", looked)
	}
}

// TestSimulationsAreHeldToTheDescription: a test that uses the simulated GitHub links what checks every request.
func TestSimulationsAreHeldToTheDescription(t *testing.T) {
	t.Parallel()
	const simulator = module + "/app/githubsim"
	uses, held := map[string]bool{}, map[string]bool{}
	for _, f := range files(t) {
		if f.test {
			uses[f.dir()] = uses[f.dir()] || slices.Contains(f.imports, simulator)
			held[f.dir()] = held[f.dir()] || slices.Contains(f.imports, simulator+"/openapi/contract")
		} else if slices.Contains(f.imports, simulator+"/openapi/contract") && f.dir() != "app/proof/soak" {
			t.Errorf("%s links the validator of GitHub's description into the program", f.name)
		}
	}
	for dir := range uses {
		if uses[dir] && !held[dir] {
			t.Errorf("the tests of %s use the simulated GitHub without its description: import %s/openapi/contract", dir, simulator)
		}
	}
}

// TestPropertiesAreDrawnAlike checks that property tests use a fixed seed, so their result depends on the change and not on luck.
func TestPropertiesAreDrawnAlike(t *testing.T) {
	t.Parallel()
	draws, alike := map[string]bool{}, map[string]bool{}
	for _, f := range files(t) {
		if f.test {
			draws[f.dir()] = draws[f.dir()] || slices.Contains(f.imports, "pgregory.net/rapid")
			alike[f.dir()] = alike[f.dir()] || slices.Contains(f.imports, module+"/knowledge/rapidseed")
		} else if slices.Contains(f.imports, module+"/knowledge/rapidseed") {
			t.Errorf("%s links a library for tests into the program", f.name)
		}
	}
	for dir := range draws {
		if draws[dir] && !alike[dir] {
			t.Errorf("the tests of %s draw other examples in every run: import %s/knowledge/rapidseed", dir, module)
		}
	}
}

// TestPublishersAreHeldToTheSuite checks that every publisher runs the conformance suite.
func TestPublishersAreHeldToTheSuite(t *testing.T) {
	t.Parallel()
	const publisher, suite = module + "/app/publish", module + "/app/publish/publishtest"
	publishes, held := map[string]bool{}, map[string]bool{}
	for _, f := range files(t) {
		switch {
		case f.test:
			held[f.dir()] = held[f.dir()] || slices.Contains(f.imports, suite)
		case slices.Contains(f.imports, suite):
			t.Errorf("%s links a library for tests into the program", f.name)
		case slices.Contains(f.imports, publisher) && module+"/"+f.dir() != suite:
			publishes[f.dir()] = true
		}
	}
	for dir := range publishes {
		if !held[dir] {
			t.Errorf("the tests of %s do not hold it to the suite for whoever publishes: import %s", dir, suite)
		}
	}
}

func TestLanguagesAreListedInOnePlaceOnly(t *testing.T) {
	t.Parallel()
	const parent = "knowledge/source/"
	others := []string{"control", "languages", "sourcetest", "surface", "token"} // packages there that are no language
	// What makes tests of a language reads it as its scanner does.
	testers := map[string]string{"testgen/golang": "golang", "testgen/python": "python", "testgen/typescript": "ecma"}
	for _, f := range files(t) {
		if f.test || f.dir() == parent+"languages" {
			continue
		}
		for _, imp := range f.imports {
			name, ok := strings.CutPrefix(imp, module+"/"+parent)
			if ok && !slices.Contains(others, name) && testers[f.dir()] != name {
				t.Errorf("%s imports %s: only %slanguages knows the languages by name", f.name, imp, parent)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	documented := map[string]bool{}
	for _, f := range files(t) {
		if !f.test {
			documented[f.dir()] = documented[f.dir()] || f.doc
		}
		if name := strings.TrimSuffix(f.pkg, "_test"); slices.Contains(emptyNames, name) || slices.Contains(emptyNames, path.Base(f.dir())) {
			t.Errorf("%s: a package called %s says nothing of what is in it", f.name, name)
		}
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment", dir)
		}
	}
}

func TestFilesStayReadable(t *testing.T) {
	t.Parallel()
	for _, f := range files(t) {
		if !f.test && f.lines > longest {
			t.Errorf("%s has %d lines, more than %d: split it, one idea a file", f.name, f.lines, longest)
		}
	}
}
