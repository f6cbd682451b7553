package manifest

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// buildFiles are the files of build tools with the same tasks in all projects.
var buildFiles = []struct {
	name  string
	tasks func(text string, p Place) []Task
}{
	{"go.mod", golang},
	{"Cargo.toml", cargo},
	{"pom.xml", maven},
	{"build.gradle", gradle},
	{"build.gradle.kts", gradle},
	{"pyproject.toml", python},
	{"setup.cfg", setuptools("setup.cfg", "[options]")},
	{"setup.py", setuptools("setup.py", "setup(")},
	{"requirements.txt", requirementsFile},
	{"Pipfile", always(Task{Purpose: "install", Run: "pipenv install --dev"})},
	{"manage.py", django},
	{"CMakeLists.txt", tested(cmakeTests, Task{Purpose: "build", Run: "cmake -B build && cmake --build build"}, Task{Purpose: "test", Run: "ctest --test-dir build"})},
	{"meson.build", tested(mesonTests, Task{Purpose: "build", Run: "meson setup build && ninja -C build"}, Task{Purpose: "test", Run: "meson test -C build"})},
	{"configure.ac", autotools},
	{"configure", configure},
	{"Dockerfile", always(Task{Purpose: "build", Run: "docker build ."})},
}

func always(list ...Task) func(string, Place) []Task {
	return func(string, Place) []Task { return slices.Clone(list) }
}

// tested returns tasks of which the test applies only to a file that declares tests.
func tested(declares *lazyregexp.Regexp, list ...Task) func(string, Place) []Task {
	return func(text string, _ Place) []Task {
		return slices.DeleteFunc(slices.Clone(list), func(t Task) bool { return t.Purpose == "test" && !declares.MatchString(text) })
	}
}

var (
	cmakeTests    = lazyregexp.New(`(?im)^[ \t]*(?:enable_testing[ \t]*\(|add_test[ \t]*\(|include[ \t]*\([ \t]*CTest\b)`)
	mesonTests    = lazyregexp.New(`(?m)^[ \t]*(?:test|subdir)[ \t]*\((?:[^)#\n]*\btests?\b|[^)#\n]*,|[ \t]*$)`)
	automakeTests = lazyregexp.New(`(?m)^(?:TESTS\b|SUBDIRS\b.*\btests?\b|check-local:)`)
)

// autotools returns the tasks of a repository that generates its configure script.
func autotools(_ string, p Place) []Task {
	makefile := p.Read("Makefile.am")
	if makefile == nil {
		return configure("", p)
	}
	first := "autoreconf -i"
	for _, script := range []string{"autogen.sh", "bootstrap"} {
		if p.Has(script) {
			first = "./" + script
			break
		}
	}
	out := []Task{{Purpose: "build", Run: first + " && ./configure && make"}}
	if automakeTests.Match(makefile) {
		out = append(out, Task{Purpose: "test", Run: "make check"})
	}
	return out
}

// configure returns the task of a script that is in the repository, if [autotools] does not generate it.
func configure(_ string, p Place) []Task {
	if !p.Has("configure") || p.Has("Makefile.am") && p.Has("configure.ac") {
		return nil
	}
	return []Task{{Purpose: "build", Run: "./configure && make"}}
}

// requirementsFile returns the task of a requirements.txt, which in a project of another build tool is for its documents.
func requirementsFile(_ string, p Place) []Task {
	if p.Has("go.mod") || p.Has("Cargo.toml") || p.Has("pom.xml") {
		return nil
	}
	return []Task{{Purpose: "install", Run: "pip install -r requirements.txt"}}
}

// django returns the tasks of a manage.py that runs without further settings.
func django(text string, _ Place) []Task {
	if !strings.Contains(text, "DJANGO_SETTINGS_MODULE") {
		return nil
	}
	return []Task{{Purpose: "run", Run: "python manage.py runserver"}, {Purpose: "test", Run: "python manage.py test"}}
}

// golang returns the tasks of a Go module. It runs the program in its root, its only one below cmd, or the one there
// that has its name.
func golang(text string, p Place) []Task {
	out := []Task{{Purpose: "build", Run: "go build ./..."}, {Purpose: "test", Run: "go test ./..."}}
	if p.Has("main.go") {
		return append(out, Task{Purpose: "run", Run: "go run ."})
	}
	programs := slices.DeleteFunc(p.Sources("cmd"), func(name string) bool {
		return !commandWord.MatchString(name) || !p.Has(path.Join("cmd", name, "main.go"))
	})
	if name := lastSegment(found(goModule, text)); len(programs) > 1 && slices.Contains(programs, name) {
		programs = []string{name}
	}
	if len(programs) == 1 {
		out = append(out, Task{Purpose: "run", Run: "go run ./cmd/" + programs[0]})
	}
	return out
}

// cargo returns the tasks of a Cargo package or workspace, whose default members run.
func cargo(text string, p Place) []Task {
	out := []Task{{Purpose: "build", Run: "cargo build"}, {Purpose: "test", Run: "cargo test"}}
	members := Read([]byte(text)).Table("workspace").Texts("default-members")
	if members == nil {
		members = []string{"."}
	}
	for _, dir := range members[:min(len(members), mostMembers)] {
		m := Read(p.Read(path.Join(dir, "Cargo.toml")))
		name := m.Table("package").Text("name")
		programs := cargoPrograms(m, name, p.Has(path.Join(dir, "src/main.rs")))
		if len(programs) == 0 {
			continue
		}
		run, named := "cargo run", []string{}
		if len(members) > 1 {
			run, named = run+" -p "+name, append(named, name)
		}
		if len(programs) > 1 && m.Table("package").Text("default-run") == "" {
			run, named = run+" --bin "+programs[0], append(named, programs[0])
		}
		if !slices.ContainsFunc(named, func(name string) bool { return !commandWord.MatchString(name) }) {
			out = append(out, Task{Purpose: "run", Run: run})
		}
	}
	return out
}

// mostMembers bounds the members of a workspace whose programs are listed.
const mostMembers = 20

// commandWord matches the names of packages and programs that are put into commands.
var commandWord = lazyregexp.New(`^\w[\w.-]{0,63}$`)

// cargoPrograms lists the programs of a package: that of its main file, if it has one, and those that its manifest names.
func cargoPrograms(m Table, name string, main bool) (out []string) {
	for _, bin := range m.Tables("bin") {
		main = main && bin.Text("path") != "src/main.rs" && bin.Text("name") != name
		out = append(out, bin.Text("name"))
	}
	if main {
		out = slices.Insert(out, 0, name)
	}
	return out
}

// starter is a plugin of a Java build tool with a task that runs the application.
type starter struct {
	plugin *lazyregexp.Regexp
	task   string
}

// jvm returns the tasks of a Java build tool or its wrapper.
func jvm(wrapper, tool, build string, starters ...starter) func(string, Place) []Task {
	return func(text string, p Place) []Task {
		tool := tool
		if p.Has(wrapper) {
			tool = "./" + wrapper
		}
		out := []Task{{Purpose: "build", Run: tool + " " + build}, {Purpose: "test", Run: tool + " test"}}
		for _, s := range starters {
			if s.plugin.MatchString(text) {
				out = append(out, Task{Purpose: "run", Run: tool + " " + s.task})
			}
		}
		return out
	}
}

var (
	maven  = jvm("mvnw", "mvn", "package", starter{springMaven, "spring-boot:run"}, starter{quarkusMaven, "quarkus:dev"}, starter{jettyMaven, "jetty:run"})
	gradle = jvm("gradlew", "gradle", "build", starter{springGradle, "bootRun"}, starter{quarkusGradle, "quarkusDev"})

	quarkusMaven  = lazyregexp.New(`<artifactId>quarkus-maven-plugin<`)
	quarkusGradle = lazyregexp.New(`(?:id|plugin:)[ (]*['"]io\.quarkus['"]`)
	jettyMaven    = lazyregexp.New(`<artifactId>jetty-maven-plugin<`)
	springMaven   = lazyregexp.New(`(?s)spring-boot-starter.*spring-boot-maven-plugin`)
	springGradle  = lazyregexp.New(`(?:id|plugin:)[ (]*['"]org\.springframework\.boot['"]|plugins\.spring\.?[bB]oot\b`)
)

func python(text string, p Place) []Task {
	install, with := "pip install -e .", ""
	switch {
	case p.Has("uv.lock"):
		install, with = "uv sync", "uv run "
	case p.Has("poetry.lock"):
		install, with = "poetry install", "poetry run "
	case p.Has("pdm.lock"):
		install, with = "pdm install", "pdm run "
	}
	out := []Task{{Purpose: "install", Run: install}}
	m := Read([]byte(text))
	if with == "" && p.Has("requirements.txt") && !p.Has("setup.py") && !p.Has("setup.cfg") &&
		len(m.Table("project").Keys())+len(m.Table("build-system").Keys())+len(m.Table("tool", "poetry").Keys()) == 0 {
		out = nil // the file only configures tools
	}
	if names := Programs("pyproject.toml", []byte(text)); len(names) == 1 && commandWord.MatchString(names[0]) {
		out = append(out, Task{Purpose: "run", Run: with + names[0]})
	}
	if strings.Contains(text, "pytest") {
		out = append(out, Task{Purpose: "test", Run: with + "pytest"})
	}
	return out
}

// setuptools returns the tasks of a setup.cfg or setup.py that pyproject.toml does not name. Without the mark, the file describes no
// package.
func setuptools(file, mark string) func(string, Place) []Task {
	return func(text string, p Place) (out []Task) {
		if !strings.Contains(text, mark) {
			return nil
		}
		project := p.Read("pyproject.toml")
		if project == nil && (file == "setup.py" || !p.Has("setup.py")) {
			out = append(out, Task{Purpose: "install", Run: "pip install -e ."})
		}
		if names := Programs(file, []byte(text)); len(names) == 1 && commandWord.MatchString(names[0]) && len(Programs("pyproject.toml", project)) == 0 {
			out = append(out, Task{Purpose: "run", Run: names[0]})
		}
		if strings.Contains(text, "pytest") && !strings.Contains(string(project), "pytest") {
			out = append(out, Task{Purpose: "test", Run: "pytest"})
		}
		return out
	}
}

// toolOf maps build tools that build whole workspaces, and their wrappers, to their names.
var toolOf = map[string]string{"gradle": "gradle", "gradlew": "gradle", "mvn": "mvn", "mvnw": "mvn"}

// defaultManager is the package manager of a package.json without another one.
const defaultManager = "npm"

// Under adapts the tasks of a package, so many directories deep, to those of its workspace: the package manager of the
// workspace runs all packages, and its Gradle or Maven builds and tests them.
func Under(workspace, tasks []Task, depth int) []Task {
	manager, tools := "", map[string]string{} // by the name of a build tool
	for _, t := range workspace {
		if name, ok := strings.CutSuffix(t.Run, " install"); ok && path.Base(t.File) == "package.json" {
			manager = name
		}
		if tool, _, _ := strings.Cut(t.Run, " "); t.Purpose == "build" {
			tools[toolOf[path.Base(tool)]] = tool
		}
	}
	tasks = slices.DeleteFunc(tasks, func(t Task) bool {
		tool, _, _ := strings.Cut(t.Run, " ")
		return toolOf[tool] != "" && tools[tool] != "" && t.Purpose != "run"
	})
	for i, t := range tasks {
		tool, rest, _ := strings.Cut(t.Run, " ")
		if wrapper, ok := strings.CutPrefix(tools[tool], "./"); ok && toolOf[tool] != "" {
			tasks[i].Run = strings.Repeat("../", depth) + wrapper + " " + rest
		}
		if rest, ok := strings.CutPrefix(t.Run, defaultManager+" "); ok && manager != "" && path.Base(t.File) == "package.json" {
			tasks[i].Run = manager + " " + rest
		}
	}
	return tasks
}
