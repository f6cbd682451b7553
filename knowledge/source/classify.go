package source

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// Classification is the role of a repository path.
type Classification struct {
	// Language is empty if the file is not source.
	Language string
	// Readable reports whether the language has an extractor.
	Readable bool
	// Readme marks a document that may describe its directory.
	Readme bool
}

// opaque maps extensions and file names to languages without an extractor; causal lists and hashes their files.
var opaque = map[string]string{
	".asm": "assembly", ".s": "assembly", ".S": "assembly", ".rb": "ruby", ".rake": "ruby", ".php": "php", ".cs": "c#",
	".fs": "f#", ".vb": "visual basic", ".swift": "swift", ".kt": "kotlin", ".kts": "kotlin", ".scala": "scala", ".groovy": "groovy",
	".gradle": "groovy", ".clj": "clojure", ".cljs": "clojure", ".sh": "shell", ".bash": "shell", ".zsh": "shell", ".fish": "shell",
	".ps1": "powershell", ".bat": "batch", ".cmd": "batch", ".pl": "perl", ".pm": "perl", ".lua": "lua", ".r": "r", ".R": "r",
	".jl": "julia", ".hs": "haskell", ".ml": "ocaml", ".mli": "ocaml", ".ex": "elixir", ".exs": "elixir", ".erl": "erlang",
	".dart": "dart", ".zig": "zig", ".nim": "nim", ".d": "d", ".cr": "crystal", ".proto": "protobuf",
	".graphql": "graphql", ".m": "objective-c", ".mm": "objective-c", ".f90": "fortran",
	".f": "fortran", ".cu": "cuda", ".tcl": "tcl", ".tf": "terraform", ".cmake": "cmake", ".pas": "pascal", ".v": "verilog",
	".sv": "verilog", ".vhd": "vhdl", ".sol": "solidity", ".awk": "awk", ".el": "emacs lisp", ".lisp": "lisp", ".scm": "scheme",
	".rkt": "racket", ".pyx": "cython", ".coffee": "coffeescript", ".thrift": "thrift", ".rego": "rego", ".nix": "nix",
	"Makefile": "make", "makefile": "make", "GNUmakefile": "make", "Dockerfile": "docker", "Rakefile": "ruby", "Gemfile": "ruby",
	"CMakeLists.txt": "cmake", "Jenkinsfile": "groovy", "BUILD": "starlark", "BUILD.bazel": "starlark", ".bzl": "starlark",
}

var foreign = lazy.Set(`vendor node_modules bower_components third_party third-party thirdparty testdata venv site-packages __pycache__`)

// Classifier distinguishes source files from other files.
type Classifier struct {
	byExtension map[string]Language
	manifests   map[string]bool
}

// NewClassifier returns a Classifier for languages.
func NewClassifier(languages []Language) *Classifier {
	c := &Classifier{byExtension: map[string]Language{}, manifests: map[string]bool{}}
	for _, l := range languages {
		for _, e := range l.Extensions() {
			c.byExtension[e] = l
		}
		for _, m := range l.Manifests() {
			c.manifests[m] = true
		}
	}
	return c
}

// Rules is the version of the rules for classifying files and reading READMEs. Cache entries with another version are
// ignored.
const Rules = 20

// Foreign reports whether a path is in vendored code, test data or a hidden directory.
func Foreign(name string) bool {
	ext := path.Ext(name)
	tests, packaged := false, packaged[ext] || slices.Contains(TraitsOfFile(name).PackageFiles, ext)
	for {
		segment, rest, below := strings.Cut(name, "/")
		switch {
		case !below:
			return false
		case segment != "" && segment[0] == '.' && segment != ".well-known", foreign[segment]:
			return true
		case tests && segment == "resources" || tests && !packaged && isFixture(segment):
			return true
		}
		tests = tests || testDirs[segment]
		name = rest
	}
}

// packaged are Traits.PackageFiles of languages without a reader.
var packaged = map[string]bool{".kt": true, ".scala": true, ".groovy": true}

var testDirs = lazy.Set(`test tests __tests__ spec specs e2e testsuite`)

// isFixture recognizes test data directories. Many repositories have thousands of small files in such directories,
// which need no pages.
func isFixture(segment string) bool {
	switch segment {
	case "__fixtures__", "__snapshots__", "snapshots", "baselines", "goldens", "resources", "inputs", "outputs", "expected":
		return true
	}
	for _, kind := range []string{"fixture", "fixtures", "sample", "samples", "cases", "Cases", "Fixtures"} {
		if strings.HasSuffix(segment, kind) {
			return true
		}
	}
	return false
}

// Classify returns the classification of a path; paths in foreign directories get the zero value.
func (c *Classifier) Classify(name string) Classification {
	if Foreign(name) {
		return Classification{}
	}
	base := path.Base(name)
	ext := path.Ext(base)
	if l, ok := c.byExtension[ext]; ok {
		if ignores := TraitsOf(l.Name()).Ignores; ignores != nil && ignores(name) {
			return Classification{}
		}
		return Classification{Language: l.Name(), Readable: true}
	}
	if l, ok := opaque[base]; ok && base != ext {
		return Classification{Language: l}
	}
	if l, ok := opaque[ext]; ok && base != ext {
		return Classification{Language: l}
	}
	base = strings.ToLower(base)
	return Classification{Readme: base == "readme" || base == "readme.md" || base == "readme.rst" || base == "readme.txt"}
}

// IsService reports whether a file lists the providers of a service.
func IsService(name string) bool {
	dir := path.Dir(name)
	return slices.ContainsFunc(languages, func(t *Traits) bool { return t.Services != "" && strings.HasSuffix("/"+dir, "/"+t.Services) }) && !Foreign(name)
}

// IsSchema reports whether a file may define tables: an SQL file other than a down migration, a Prisma schema, or a Liquibase
// changelog.
func IsSchema(name string) bool {
	stem, isSQL := strings.CutSuffix(name, ".sql")
	back := strings.HasSuffix(stem, ".down") || strings.HasSuffix(stem, "_down") || path.Base(stem) == "down" || path.Base(stem) == "rollback"
	tests := slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return testDirs[dir] })
	changelog := path.Ext(name) == ".xml" && (strings.Contains(strings.ToLower(name), "changelog") || strings.Contains(name, "liquibase"))
	return (isSQL && !back || path.Ext(name) == ".prisma" || changelog) && !tests && !Foreign(name)
}

// Language returns the extractor for a path, or nil.
func (c *Classifier) Language(name string) Language { return c.byExtension[path.Ext(name)] }

// IsManifest reports whether the import resolution of any language reads the file.
func (c *Classifier) IsManifest(name string) bool {
	return c.manifests[path.Base(name)] && !Foreign(name)
}
