package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/redact"
)

// Purposes are the purposes of tasks, in the order in which a newcomer needs them.
var Purposes = []string{"install", "run", "build", "test", "check"}

// Task is a way to work with a project that one of its files names.
type Task struct {
	Purpose string // one of Purposes, or empty for a task of the project's own
	Run     string
	Does    string // the underlying command, if known
	More    int    // the number of further commands
	About   string // what the authors say about it
	Starts  string // the services that it starts
	File    string // relative to the project's directory
}

// Place is the directory of a project.
type Place interface {
	// Read returns the content of a file; nil if it does not exist.
	Read(name string) []byte
	// Has reports whether a file exists.
	Has(name string) bool
	// Sources lists the directories with sources directly below a directory, by name.
	Sources(dir string) []string
}

// Tasks lists the tasks of a project by purpose. The standard tasks of a build tool are listed only for purposes that
// no file of the project has a task for.
func Tasks(p Place) []Task {
	var out []Task
	seen, file := map[string]int{}, ""
	for _, t := range append(named(p), scripts(p)...) {
		if t.File != file {
			seen, file = map[string]int{}, t.File
		}
		if seen[t.Purpose]++; t.Purpose != "" && seen[t.Purpose] <= mostTasks {
			out = append(out, t)
		}
	}
	others := slices.Clone(out)
	for _, r := range buildFiles {
		if content := p.Read(r.name); content != nil {
			for _, t := range r.tasks(string(content), p) {
				if t.File = r.name; !slices.ContainsFunc(others, func(o Task) bool { return o.Purpose == t.Purpose && o.Starts == "" && !o.installsPackages() }) {
					out = append(out, t)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Task) int { return slices.Index(Purposes, a.Purpose) - slices.Index(Purposes, b.Purpose) })
	return out
}

// installsPackages reports whether a task installs the packages of one language only.
func (t Task) installsPackages() bool { return t.Purpose == "install" && t.File == "package.json" }

// Own lists the tasks that the files of a project name and that have no usual purpose, in the order of the files.
func Own(p Place) []Task {
	list, runs := named(p), map[string]bool{}
	for _, t := range list {
		runs[t.Run] = true
	}
	return slices.DeleteFunc(list, func(t Task) bool {
		return t.Purpose != "" || strings.HasPrefix(t.Run, "make ") && t.Does == "" && t.About == "" || isHook(t, runs)
	})
}

// isHook reports whether a package manager runs a task before or after another one.
func isHook(t Task, runs map[string]bool) bool {
	at := strings.LastIndexByte(t.Run, ' ') + 1
	for _, when := range []string{"pre", "post"} {
		of, ok := strings.CutPrefix(t.Run[at:], when)
		if ok && path.Base(t.File) == "package.json" && (npmHooks[of] || runs[t.Run[:at]+of]) {
			return true
		}
	}
	return path.Base(t.File) == "package.json" && t.Run[at:] == "prepare"
}

var npmHooks = map[string]bool{"install": true, "pack": true, "publish": true, "publishOnly": true, "version": true}

// named lists the tasks in the files that name tasks.
func named(p Place) (out []Task) {
	for _, r := range taskFiles {
		for _, name := range r.names {
			content := p.Read(name)
			if content == nil {
				continue
			}
			for _, t := range r.tasks(string(content), p) {
				if t.File = name; t.Purpose == "run" && t.More == 0 && onlyBuilds.MatchString(t.Does) {
					t.Purpose = ""
				}
				out = append(out, t)
			}
			break
		}
	}
	return out
}

// onlyBuilds matches commands after which nothing runs.
var onlyBuilds = lazyregexp.New(`^(?:\w+=\S* )*(?:\$[({]GO[)}]|go|cargo|docker|npm run|yarn|yarn run|pnpm|pnpm run|make|\$[({]MAKE[)}]) build(?: [^;&|]*)?$`)

const mostTasks = 2

// purposeOf maps usual names of targets and scripts to purposes.
var purposeOf = map[string]string{
	"install": "install", "setup": "install", "bootstrap": "install", "deps": "install", "init": "install",
	"run": "run", "start": "run", "serve": "run", "server": "run", "dev": "run", "up": "run", "develop": "run",
	"build": "build", "compile": "build", "dist": "build",
	"test": "test", "tests": "test", "unit": "test", "test-unit": "test", "test:unit": "test", "integration-test": "test", "e2e": "test", "test:e2e": "test",
	"check": "check", "lint": "check", "vet": "check", "typecheck": "check",
}

// taskFiles are files with named tasks. Of several names, the first existing one counts.
var taskFiles = []struct {
	names []string
	tasks func(text string, p Place) []Task
}{
	{[]string{"Makefile", "GNUmakefile", "makefile"}, recipes("make ", makeTarget)},
	{[]string{"justfile", "Justfile", ".justfile"}, recipes("just ", justRecipe)},
	{[]string{"Taskfile.yml", "Taskfile.yaml"}, taskfile},
	{[]string{"package.json"}, packageScripts},
	{[]string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"}, compose},
	{[]string{"noxfile.py"}, noxSessions},
	{[]string{"tox.ini"}, always(Task{Purpose: "test", Run: "tox"})},
}

var (
	makeTarget = lazyregexp.New(`^([A-Za-z](?:[A-Za-z0-9_:-]*[A-Za-z0-9_-])?)[ \t]*::?(?:[^=:]|$)`)
	justRecipe = lazyregexp.New(`^@?([A-Za-z][A-Za-z0-9_-]*)(?:[ \t]+[^:]*)?:(?:[^=]|$)`)
)

// mostTargets bounds the tasks of one file.
const mostTargets = 1000

// recipes reads targets at the start of a line, with the main command below each.
func recipes(call string, target *lazyregexp.Regexp) func(string, Place) []Task {
	return func(text string, _ Place) (out []Task) {
		lines, seen := strings.Split(text, "\n"), map[string]bool{}
		for i, line := range lines {
			m := target.FindStringSubmatch(line)
			if m == nil || seen[m[1]] || len(seen) == mostTargets {
				continue
			}
			seen[m[1]] = true
			t := Task{Purpose: purposeOf[m[1]], Run: call + m[1], About: remark(lines, i)}
			t.Does, t.More = commandsOf(lines[i+1:])
			out = append(out, t)
		}
		return out
	}
}

// remark returns the comment of a target: behind it, or in the line above.
func remark(lines []string, at int) string {
	if _, text, ok := strings.Cut(lines[at], " ## "); ok {
		return shortened(text)
	}
	if at > 0 && strings.HasPrefix(lines[at-1], ".PHONY") {
		at--
	}
	if at > 0 && strings.HasPrefix(lines[at-1], "#") {
		return shortened(strings.TrimLeft(lines[at-1], "# "))
	}
	return ""
}

// commandsOf returns the first command of the indented lines that does more than prepare, and the number of the others.
func commandsOf(lines []string) (first string, more int) {
	var all []string
	var joined strings.Builder
	for _, line := range lines {
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			break
		}
		before, continued := strings.CutSuffix(strings.TrimSpace(line), "\\")
		if joined.WriteString(before); continued {
			continue
		}
		text := strings.TrimLeft(joined.String(), "@-+")
		joined.Reset()
		if text != "" && text[0] != '#' && (!reporting.MatchString(text) || strings.Contains(text, "|")) {
			all = append(all, text)
		}
	}
	return mainCommand(all)
}

func mainCommand(all []string) (first string, more int) {
	if len(all) == 0 {
		return "", 0
	}
	main := slices.DeleteFunc(slices.Clone(all), prepares)
	if len(main) == 0 {
		return shortened(all[0]), len(all) - 1
	}
	return shortened(main[0]), len(main) - 1
}

var (
	// reporting matches printing commands, preparing matches setup commands and shell syntax.
	reporting = lazyregexp.New(`^(?:echo|printf|\$\((?:info|warning))\b|^(?:fi|done|esac|else|then|do|[{}();])\s*;?$`)
	preparing = lazyregexp.New(`^(?:set|clear|cd|mkdir|rm|export|source|\.|touch|sleep|trap|if|for|while|case|true|exit|[A-Za-z_]\w*=\S*$)(?:\s|$)|^[\w-]+ (?:--version|-vV)$`)
	// controlling matches the start of a compound command.
	controlling = lazyregexp.New(`^(?:if|for|while|case)\s`)
)

// prepares reports whether all commands of a line only prepare.
func prepares(line string) bool {
	for command := range strings.SplitSeq(strings.ReplaceAll(line, "&&", ";"), ";") {
		if command = strings.TrimSpace(command); command != "" && !preparing.MatchString(command) && !reporting.MatchString(command) {
			return false
		}
		if controlling.MatchString(command) {
			return true
		}
	}
	return true
}

// BuildsAll reports whether Cargo builds and tests the packages below a directory with it.
func BuildsAll(p Place) bool { return bytes.Contains(p.Read("Cargo.toml"), []byte("[workspace]")) }

// OfWorkspace reports whether a task of a package is part of the one of its workspace, where [BuildsAll] holds.
func (t Task) OfWorkspace() bool { return t.Purpose != "run" && t.File == "Cargo.toml" }

// InstallsAll reports whether the packages below a directory are installed with it.
func InstallsAll(p Place) bool {
	return p.Has("pnpm-workspace.yaml") || p.Has("lerna.json") || bytes.Contains(p.Read("package.json"), []byte(`"workspaces"`))
}

// shortened returns a command for one line of a table.
func shortened(command string) string {
	const longest = 80
	command = redact.Text(strings.Join(strings.Fields(strings.TrimSuffix(command, "\\")), " "))
	if r := []rune(command); len(r) > longest {
		return string(r[:longest-1]) + "…"
	}
	return command
}

// packageScripts reads the scripts of a package.json, for the package manager that the project uses.
func packageScripts(text string, p Place) []Task {
	var m struct {
		Scripts        json.RawMessage `json:"scripts"`
		PackageManager string          `json:"packageManager"`
	}
	if json.Unmarshal([]byte(text), &m) != nil { // reported elsewhere
		return nil
	}
	manager, _, _ := strings.Cut(m.PackageManager, "@")
	for _, lock := range []struct{ file, manager string }{{"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}} {
		if manager == "" && p.Has(lock.file) {
			manager = lock.manager
		}
	}
	manager = cmp.Or(manager, defaultManager)
	out := []Task{{Purpose: "install", Run: manager + " install"}}
	d := json.NewDecoder(bytes.NewReader(m.Scripts))
	if _, err := d.Token(); err != nil {
		return out
	}
	for d.More() { // in the order of the file
		name, _ := d.Token()
		var command any
		if d.Decode(&command) != nil {
			return out
		}
		key, _ := name.(string)
		if len(out) > mostTargets {
			break
		}
		if does, ok := command.(string); ok && key != "install" && !strings.Contains(does, "no test specified") { // what npm init writes
			out = append(out, Task{Purpose: purposeOf[key], Run: manager + " run " + key, Does: shortened(does)})
		}
	}
	return out
}

func taskfile(text string, _ Place) (out []Task) {
	entries(text, "tasks", func(name, does *yaml.Node) {
		var task struct {
			Desc string
			Cmds []any `yaml:"cmds"`
		}
		t := Task{Purpose: purposeOf[name.Value], Run: "task " + name.Value}
		if does.Decode(&task) == nil && len(task.Cmds) > 0 {
			var commands []string
			for _, c := range task.Cmds {
				if text, ok := c.(string); ok {
					commands = append(commands, text)
				}
			}
			t.About = shortened(task.Desc)
			if t.Does, t.More = mainCommand(commands); t.Does != "" {
				t.More = len(task.Cmds) - 1
			}
		}
		out = append(out, t)
	})
	return out
}

func compose(text string, _ Place) []Task {
	var names []string
	for _, s := range Services([]byte(text)) {
		if !s.Optional {
			names = append(names, shortened(s.Name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	if more := len(names) - mostStarted; more > 1 {
		names = append(names[:mostStarted], fmt.Sprintf("%d more", more))
	}
	return []Task{{Purpose: "run", Run: "docker compose up", Starts: strings.Join(names, ", ")}}
}

// mostStarted bounds the services that a task names.
const mostStarted = 6

// entries calls f for the entries of a top-level map in a YAML file; it has none if it cannot be parsed.
func entries(text, name string, f func(key, value *yaml.Node)) {
	if top, err := document(text); err == nil {
		each(below(top, name), f)
	}
}

var noxSession = lazyregexp.New(`(?m)^@nox\.session(?:\([^)]*\))?[ \t]*\n(?:@.*\n)*def (\w+)\(`)

func noxSessions(text string, _ Place) (out []Task) {
	for _, m := range noxSession.FindAllStringSubmatch(text, -1) {
		out = append(out, Task{Purpose: purposeOf[m[1]], Run: "nox -s " + m[1]})
	}
	return out
}

// scripts finds scripts with usual names, in the first directory that has any.
func scripts(p Place) (out []Task) {
	for _, dir := range []string{"script", "scripts", "bin"} {
		for _, name := range []string{"install", "setup", "bootstrap", "run", "server", "start", "build", "test", "check", "lint"} {
			if name == "bootstrap" && dir != "script" {
				continue // elsewhere it fills a running system
			}
			for _, end := range []string{"", ".sh"} {
				if file := path.Join(dir, name+end); p.Has(file) {
					out = append(out, Task{Purpose: purposeOf[name], Run: "./" + file, File: file})
				}
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}
