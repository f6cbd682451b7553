package manifest

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Base names of manifests, in order of precedence: those that name programs, those with entry points, those that mark
// a directory that is built, and files that mark a frontend.
var (
	WithPrograms    = []string{"Cargo.toml", "pyproject.toml", "setup.cfg", "setup.py", "package.json"}
	WithEntryPoints = []string{"pyproject.toml", "setup.cfg"}
	WithBuild       = []string{"package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "go.mod", "Makefile", "pom.xml", "build.gradle", "build.gradle.kts"}
	OfFrontend      = []string{"index.html", "public/index.html", "src/index.html", "angular.json", "svelte.config.js", "nuxt.config.js", "nuxt.config.ts"}
)

// CommandGroups are the groups of entry points that are commands.
var CommandGroups = map[string]bool{"console_scripts": true, "gui_scripts": true}

// Programs returns the names of the programs that a manifest installs.
func Programs(file string, content []byte) []string { return installers[file](content) }

var installers = map[string]func(content []byte) []string{
	"Cargo.toml": func(content []byte) (names []string) {
		m := Read(content)
		bins := m.Tables("bin")
		for _, bin := range bins {
			if len(bins) == 1 || path.Base(bin.Text("path")) == "main.rs" {
				names = append(names, bin.Text("name"))
			}
		}
		if name := m.Table("package").Text("name"); len(names) == 0 && name != "" {
			names = append(names, name) // if it has a program
		}
		return names
	},
	"pyproject.toml": func(content []byte) []string {
		m := Read(content)
		return append(m.Table("project", "scripts").Keys(), m.Table("tool", "poetry", "scripts").Keys()...)
	},
	"setup.cfg": func(content []byte) (names []string) {
		entriesInConfig(content, func(group, name, _ string) {
			if CommandGroups[group] {
				names = append(names, name)
			}
		})
		return names
	},
	"setup.py": func(content []byte) (names []string) {
		_, scripts, _ := strings.Cut(string(content), "console_scripts")
		scripts, _, _ = strings.Cut(scripts, "]")
		for _, found := range scriptEntry.FindAllStringSubmatch(scripts, -1) {
			names = append(names, found[1])
		}
		return names
	},
	"package.json": func(content []byte) []string {
		var node struct{ Bin map[string]string }
		_ = json.Unmarshal(content, &node) // a single program without a name has the name of its package
		return slices.Sorted(maps.Keys(node.Bin))
	},
}

// scriptEntry matches a console script in a Python string literal.
var scriptEntry = lazyregexp.New(`["']\s*([\w.-]+)\s*=\s*[\w.]+:[\w.]+`)

// EntryPoints reads the entry points in a manifest.
func EntryPoints(file string, content []byte, add func(group, name, target string)) {
	if path.Ext(file) == ".toml" {
		entriesInTOML(content, add)
	} else {
		entriesInConfig(content, add)
	}
}

// entriesInTOML reads a pyproject.toml, also Poetry's.
func entriesInTOML(content []byte, add func(group, name, target string)) {
	t := Read(content)
	for _, groups := range []Table{t.Table("project", "entry-points"), t.Table("tool", "poetry", "plugins")} {
		for _, group := range groups.Keys() {
			names := groups.Table(group)
			for _, name := range names.Keys() {
				add(group, name, names.Text(name))
			}
		}
	}
}

// entriesInConfig reads a setup.cfg: groups are keys of its section, each entry is an indented line.
func entriesInConfig(content []byte, add func(group, name, target string)) {
	inside, group := false, ""
	for line := range strings.Lines(string(content)) {
		text := strings.TrimSpace(line)
		left, right, assigned := strings.Cut(text, "=")
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case strings.HasPrefix(line, "["):
			inside = text == "[options.entry_points]"
		case !inside:
		case line[0] != ' ' && line[0] != '\t':
			group = strings.TrimSpace(left)
		case assigned:
			add(group, strings.TrimSpace(left), strings.TrimSpace(right))
		}
	}
}
