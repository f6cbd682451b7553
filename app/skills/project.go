package skills

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/survey"
)

// command is a command of a project.
type command struct{ purpose, command, from string }

// manifests are build files with their commands.
var manifests = []struct {
	file     string
	commands func(text string) []command
}{
	{"Makefile", makeCommands},
	{"package.json", scriptCommands},
	{"go.mod", always(command{"build", "go build ./...", ""}, command{"test", "go test ./...", ""})},
	{"Cargo.toml", always(command{"build", "cargo build", ""}, command{"test", "cargo test", ""})},
	{"pom.xml", always(command{"build", "mvn package", ""}, command{"test", "mvn test", ""})},
	{"build.gradle", always(command{"build", "gradle build", ""}, command{"test", "gradle test", ""})},
	{"build.gradle.kts", always(command{"build", "gradle build", ""}, command{"test", "gradle test", ""})},
	{"CMakeLists.txt", always(command{"build", "cmake -B build && cmake --build build", ""}, command{"test", "ctest --test-dir build", ""})},
	{"pyproject.toml", pythonCommands},
	{"tox.ini", always(command{"test", "tox", ""})},
	{"noxfile.py", always(command{"test", "nox", ""})},
}

func always(list ...command) func(string) []command { return func(string) []command { return list } }

// purposes maps names of targets and scripts to purposes.
var purposes = map[string]string{
	"build": "build", "compile": "build", "dist": "build", "run": "run", "start": "run", "serve": "run", "dev": "run", "test": "test", "tests": "test", "unit": "test",
	"check": "check", "lint": "check", "fmt": "check", "format": "check", "vet": "check", "install": "install", "setup": "install", "deps": "install",
}

var target = lazyregexp.New(`(?m)^([A-Za-z][A-Za-z0-9_-]*)[ \t]*:([^=]|$)`)

func makeCommands(text string) (out []command) {
	for _, m := range target.FindAllStringSubmatch(text, -1) {
		if p := purposes[m[1]]; p != "" {
			out = append(out, command{p, "make " + m[1], ""})
		}
	}
	return out
}

func scriptCommands(text string) (out []command) {
	var m struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal([]byte(text), &m) != nil { // not our file to report
		return nil
	}
	for name := range m.Scripts {
		if p := purposes[name]; p != "" {
			out = append(out, command{p, "npm run " + name, ""})
		}
	}
	return out
}

func pythonCommands(text string) []command {
	out := []command{{"install", "pip install -e .", ""}}
	if strings.Contains(text, "pytest") {
		out = append(out, command{"test", "pytest", ""})
	}
	return out
}

// forContributors are usual names of documents for contributors.
var forContributors = []string{
	"CONTRIBUTING.md", "CONTRIBUTING.rst", ".github/CONTRIBUTING.md", "docs/CONTRIBUTING.md", "DEVELOPMENT.md", "HACKING.md", "ARCHITECTURE.md", "docs/ARCHITECTURE.md", "AGENTS.md",
}

var purposeOrder = []string{"install", "build", "run", "test", "check"}

func (s *session) project(map[string]any) (map[string]any, error) {
	var list []command
	for _, m := range manifests {
		text, err := s.blob(m.file)
		if err != nil {
			return nil, err
		}
		if text == "" {
			continue
		}
		for _, c := range m.commands(text) {
			c.from = m.file
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b command) int {
		if c := slices.Index(purposeOrder, a.purpose) - slices.Index(purposeOrder, b.purpose); c != 0 || a.from != b.from {
			return c
		}
		return strings.Compare(a.command, b.command)
	})
	commands := []any{}
	for _, c := range slices.Compact(list) {
		commands = append(commands, map[string]any{"purpose": c.purpose, "command": c.command, "from": c.from})
	}
	documents := []any{}
	for _, name := range forContributors {
		there, err := survey.Exists(s.reader, name)
		if err != nil {
			return nil, err
		}
		if there {
			documents = append(documents, name)
		}
	}
	readme, err := survey.ReadmeOf(s.reader, ".")
	return map[string]any{"commands": commands, "documents": documents, "readme": readme.Path, "root": "/", "pages": "/" + s.config.Layout.Docs + "/"}, err
}
