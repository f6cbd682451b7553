package manifest_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
	"github.com/causaldocs/causal/knowledge/manifest"
)

// files is a Place in memory.
type files map[string]string

func (f files) Read(name string) []byte {
	if text, ok := f[name]; ok {
		return []byte(text)
	}
	return nil
}

func (f files) Has(name string) bool { _, ok := f[name]; return ok }

func (f files) Sources(dir string) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if path.Dir(path.Dir(name)) == dir && path.Ext(name) == ".go" {
			out = append(out, path.Base(path.Dir(name)))
		}
	}
	return out
}

func TestTasks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files files
		want  []string // purpose: command (the command behind it) in file
	}{
		"nothing": {files{"README.md": "make test"}, nil},
		"a recipe of one command": {
			files{"Makefile": ".PHONY: test\n\nGO := go\nbuild: deps\n\t@echo building\n\t-$(GO) build ./cmd/... \\\n\t\t-o x\ntest:\n\ngenerated:\n\trm -r x\nrun: build ; ./x\n", "go.mod": "module x\n"},
			[]string{"run: make run () in Makefile", "build: make build ($(GO) build ./cmd/... -o x) in Makefile", "test: make test () in Makefile"}},
		"rules with two colons": {
			files{"Makefile": "build::\n\tgo build\ndb:up: x\n\tmigrate\nx ::= 1\nlint ::\n\tgolint --version\n\tgo vet\n"},
			[]string{"build: make build (go build) in Makefile", "check: make lint (go vet) in Makefile"}},
		"recipes of several commands": {
			files{
				"Makefile":     "build:\n\tset -e\n\tcd web; \\\n\tif true; then echo x; fi\n\t@echo building\n\tnpm ci\n\tnpm run build\ntest:\n\trm -rf out\n",
				"justfile":     "run:\n    #!/bin/sh\n    clear\n\n    mkdir -p out\n\n    cargo run\n",
				"Taskfile.yml": "tasks:\n  check:\n    cmds: [{task: x}, mkdir out, go vet ./..., go test]\n",
			},
			[]string{"run: just run (cargo run) in justfile", "build: make build (npm ci +1) in Makefile", "test: make test (rm -rf out) in Makefile", "check: task check (go vet ./... +3) in Taskfile.yml"}},
		"a target that only builds": {
			files{"Makefile": "dev:\n\tgo build\n\t@echo done\nserve:\n\tgo build && ./x\n"},
			[]string{"run: make serve (go build && ./x) in Makefile"}},
		"CMake without tests": {files{"CMakeLists.txt": "project(x)\n# enable_testing()\n"}, []string{"build: cmake -B build && cmake --build build () in CMakeLists.txt"}},
		"CMake with tests": {files{"CMakeLists.txt": "if(X)\n  include(CTest)\nendif()\n"}, []string{
			"build: cmake -B build && cmake --build build () in CMakeLists.txt", "test: ctest --test-dir build () in CMakeLists.txt"}},
		"Meson": {files{"meson.build": "project('x')\nsubdir('tests')\n"}, []string{
			"build: meson setup build && ninja -C build () in meson.build", "test: meson test -C build () in meson.build"}},
		"Meson without tests": {files{"meson.build": "project('x')\nsubdir('src')\n"}, []string{"build: meson setup build && ninja -C build () in meson.build"}},
		"Autotools": {files{"configure.ac": "", "autogen.sh": "", "Makefile.am": "SUBDIRS = src tests\n"}, []string{
			"build: ./autogen.sh && ./configure && make () in configure.ac", "test: make check () in configure.ac"}},
		"Autotools with a generated script": {files{"configure.ac": "", "configure": "", "Makefile.am": "bin_PROGRAMS = x\n"}, []string{"build: autoreconf -i && ./configure && make () in configure.ac"}},
		"a configure script of its own":     {files{"configure": ""}, []string{"build: ./configure && make () in configure"}},
		"many services, some of a profile": {
			files{"compose.yml": "services: {a: {image: a}, b: {image: b}, c: {image: c}, d: {image: d}, e: {image: e}, f: {image: f}, g: {image: g}, h: {image: h}, x: {image: x, profiles: [debug]}}\n"},
			[]string{"run: docker compose up (a, b, c, d, e, f, 2 more) in compose.yml"}},
		"a build tool where nothing names a task": {files{"go.mod": "module x\n"}, []string{"build: go build ./... () in go.mod", "test: go test ./... () in go.mod"}},
		"scripts of a package, in the order of the file": {
			files{"package.json": "{\n  \"scripts\": {\n    \"start\": \"node .\",\n    \"postinstall\": \"x\",\n    \"dev\": \"next dev\",\n    \"serve\": \"third\",\n    \"test\": \"vitest run\"\n  },\n  \"dev\": \"1\"\n}\n", "pnpm-lock.yaml": ""},
			[]string{"install: pnpm install () in package.json", "run: pnpm run start (node .) in package.json", "run: pnpm run dev (next dev) in package.json", "test: pnpm run test (vitest run) in package.json"}},
		"the package manager that the package names": {files{"package.json": `{"packageManager": "yarn@4.1.0"}`, "pnpm-lock.yaml": ""}, []string{"install: yarn install () in package.json"}},
		"the test that npm init writes":              {files{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1", "build": "tsc"}}`}, []string{"install: npm install () in package.json", "build: npm run build (tsc) in package.json"}},
		"a broken package":                           {files{"package.json": `{"scripts": [`}, nil},
		"services do not run the program": {
			files{"compose.yml": "services:\n  db: {image: postgres}\n  web:\n    build: .\nvolumes: {db: {}}\n", "pom.xml": "<artifactId>spring-boot-starter-web</artifactId><artifactId>spring-boot-maven-plugin</artifactId>", "mvnw": ""},
			[]string{"run: docker compose up (db, web) in compose.yml", "run: ./mvnw spring-boot:run () in pom.xml", "build: ./mvnw package () in pom.xml", "test: ./mvnw test () in pom.xml"}},
		"python with uv": {
			files{"pyproject.toml": "[tool.pytest.ini_options]\n", "uv.lock": "", "noxfile.py": "import nox\n\n@nox.session\ndef lint(session: nox.Session) -> None:\n    pass\n"},
			[]string{"install: uv sync () in pyproject.toml", "test: uv run pytest () in pyproject.toml", "check: nox -s lint () in noxfile.py"}},
		"python with setuptools, whose pyproject.toml only names the build": {
			files{"pyproject.toml": "[build-system]\nrequires = [\"setuptools\"]\n", "setup.cfg": "[options]\ninstall_requires = x\n\n[options.extras_require]\ntest = pytest\n\n[options.entry_points]\nconsole_scripts =\n    shop = shop.cli:main\n", "setup.py": "import setuptools\nsetuptools.setup()\n"},
			[]string{"install: pip install -e . () in pyproject.toml", "run: shop () in setup.cfg", "test: pytest () in setup.cfg"}},
		"python with setup.py alone": {
			files{"setup.py": "setup(\n    entry_points={'console_scripts': ['shop = shop.cli:main']},\n    tests_require=['pytest'],\n)\n", "setup.cfg": "[flake8]\n"},
			[]string{"install: pip install -e . () in setup.py", "run: shop () in setup.py", "test: pytest () in setup.py"}},
		"programs whose names are not put into a command": {
			files{"setup.cfg": "[options]\n[options.entry_points]\nconsole_scripts =\n    " + strings.Repeat("x", 1<<20) + " = a:b\n", "pyproject.toml": "[project.scripts]\n\"a; b\" = \"a:b\"\n"},
			[]string{"install: pip install -e . () in pyproject.toml"}},
		"packages of two languages": {
			files{"package.json": "{}", "Pipfile": "", "requirements.txt": "", "manage.py": "import os\n", "pyproject.toml": "[tool.black]\n"},
			[]string{"install: npm install () in package.json", "install: pip install -r requirements.txt () in requirements.txt", "install: pipenv install --dev () in Pipfile"}},
		"Django": {
			files{"manage.py": "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n"},
			[]string{"run: python manage.py runserver () in manage.py", "test: python manage.py test () in manage.py"}},
		"a Go program below cmd": {
			files{"go.mod": "module x/shop\n", "cmd/till/main.go": "", "cmd/text/text.go": ""},
			[]string{"run: go run ./cmd/till () in go.mod", "build: go build ./... () in go.mod", "test: go test ./... () in go.mod"}},
		"Go programs, one of them named like the module": {
			files{"go.mod": "module x/shop/v2\n", "cmd/shop/main.go": "", "cmd/tool/main.go": ""},
			[]string{"run: go run ./cmd/shop () in go.mod", "build: go build ./... () in go.mod", "test: go test ./... () in go.mod"}},
		"several Go programs": {
			files{"go.mod": "module x/shop\n", "cmd/till/main.go": "", "cmd/tool/main.go": ""},
			[]string{"build: go build ./... () in go.mod", "test: go test ./... () in go.mod"}},
		"a web archive": {
			files{"pom.xml": "<artifactId>spring-boot-maven-plugin</artifactId><artifactId>jetty-maven-plugin</artifactId>"},
			[]string{"run: mvn jetty:run () in pom.xml", "build: mvn package () in pom.xml", "test: mvn test () in pom.xml"}},
		"formatters, and commands in a directory": {
			files{"Makefile": "format:\n\tgofmt -w .\nlint:\n\tmkdir -p out\n\tcd web && npm run lint\n"},
			[]string{"check: make lint (cd web && npm run lint) in Makefile"}},
		"scripts": {
			files{"scripts/test": "", "scripts/lint.sh": "", "bin/run": "", "setup.py": ""},
			[]string{"test: ./scripts/test () in scripts/test", "check: ./scripts/lint.sh () in scripts/lint.sh"}},
		"a Cargo workspace": {
			files{
				"Cargo.toml":   "[workspace]\nmembers = [\"a\", \"b\", \"c\"]\ndefault-members = [\"a\", \"b\", \"c\"]\n",
				"a/Cargo.toml": "[package]\nname = \"shop-a\"\n", "a/src/main.rs": "",
				"b/Cargo.toml": "[package]\nname = \"shop-b\"\n[[bin]]\nname = \"b\"\npath = \"src/main.rs\"\n[[bin]]\nname = \"tool\"\n", "b/src/main.rs": "",
				"c/Cargo.toml": "[package]\nname = \"shop-c\"\n",
			},
			[]string{"run: cargo run -p shop-a () in Cargo.toml", "run: cargo run -p shop-b --bin b () in Cargo.toml", "build: cargo build () in Cargo.toml", "test: cargo test () in Cargo.toml"}},
		"a Cargo workspace of a member whose name is no name": {
			files{"Cargo.toml": "[workspace]\ndefault-members = [\"a\", \"../b\"]\n", "a/Cargo.toml": "[package]\nname = \"a; rm x\"\n", "a/src/main.rs": ""},
			[]string{"build: cargo build () in Cargo.toml", "test: cargo test () in Cargo.toml"}},
		"a package of several programs": {
			files{"Cargo.toml": "[package]\nname = \"shop\"\n[[bin]]\nname = \"tool\"\n", "src/main.rs": ""},
			[]string{"run: cargo run --bin shop () in Cargo.toml", "build: cargo build () in Cargo.toml", "test: cargo test () in Cargo.toml"}},
		"a package that names its program": {
			files{"Cargo.toml": "[package]\nname = \"shop\"\ndefault-run = \"shop\"\n[[bin]]\nname = \"tool\"\n", "src/main.rs": ""},
			[]string{"run: cargo run () in Cargo.toml", "build: cargo build () in Cargo.toml", "test: cargo test () in Cargo.toml"}},
		"just and task": {
			files{"justfile": "set shell := [\"bash\"]\n\n# Tests.\n@test filter='': \n  cargo nextest run {{filter}}\n", "Taskfile.yml": "version: '3'\ntasks:\n  build:\n    cmds: [go build .]\n  other:\n    cmds: [x]\n", "Cargo.toml": "[package]\n", "src/main.rs": ""},
			[]string{"run: cargo run () in Cargo.toml", "build: task build (go build .) in Taskfile.yml", "test: just test (cargo nextest run {{filter}}) in justfile"}},
	} {
		var got []string
		for _, task := range manifest.Tasks(c.files) {
			more := ""
			if task.More > 0 {
				more = fmt.Sprintf(" +%d", task.More)
			}
			got = append(got, task.Purpose+": "+task.Run+" ("+task.Does+task.Starts+more+") in "+task.File)
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func FuzzTasks(f *testing.F) {
	f.Add("Makefile", "test:\n\tgo test\n")
	f.Add("package.json", `{"scripts": {"test": "x"}}`)
	f.Add("compose.yml", "services: &a {b: *a}\n")
	f.Add("Taskfile.yml", "tasks: {test: {cmds: [x]}}")
	f.Fuzz(func(t *testing.T, name, text string) {
		for _, task := range manifest.Tasks(files{name: text}) {
			if task.Run == "" || strings.ContainsAny(task.Does+task.Starts, "\n") {
				t.Fatalf("%+v", task)
			}
		}
	})
}

func TestUnder(t *testing.T) {
	t.Parallel()
	spring := files{"build.gradle": "plugins { id 'org.springframework.boot' }\n"}
	for name, c := range map[string]struct {
		root, below files
		want        string
	}{
		"the package manager of the workspace": {files{"package.json": "{}", "pnpm-lock.yaml": ""}, files{"package.json": `{"scripts": {"test": "x"}}`}, "pnpm install, pnpm run test"},
		"one build for all":                    {files{"build.gradle": "", "gradlew": ""}, spring, "../../gradlew bootRun"},
		"a project of its own":                 {files{"go.mod": ""}, spring, "gradle bootRun, gradle build, gradle test"},
	} {
		var got []string
		for _, task := range manifest.Under(manifest.Tasks(c.root), manifest.Tasks(c.below), 2) {
			got = append(got, task.Run)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %s", name, got, c.want)
		}
	}
}

func TestOwn(t *testing.T) {
	t.Parallel()
	in := files{
		"Makefile":     "test: ; go test\n# Adds things.\nseed: build\n\t@echo x\n\tgo run ./seed\ndocs: ## Write the manual\n# Packs.\n.PHONY: pack\npack:\n\ttar x\nall: build test\nclean:\n\trm -r x\n",
		"package.json": `{"scripts": {"start": "node .", "prestart": "x", "postinstall": "x", "prepare": "husky", "preview": "vite preview", "reset-password": "node reset.js"}}`,
		"Taskfile.yml": "tasks:\n  seed:\n    desc: Adds things\n    cmds: [x]\n",
		"noxfile.py":   "import nox\n\ndef helper(session):\n    pass\n\n@nox.session(\n    python=[\"3\"],\n)\n@other\ndef docs(session):\n    pass\n",
		"go.mod":       "module x\n",
	}
	var got []string
	for _, task := range manifest.Own(in) {
		got = append(got, task.Run+" ("+task.Does+") "+task.About+" in "+task.File)
	}
	want := []string{
		"make seed (go run ./seed) Adds things. in Makefile", "make docs () Write the manual in Makefile", "make pack (tar x) Packs. in Makefile", "make clean (rm -r x)  in Makefile",
		"task seed (x) Adds things in Taskfile.yml", "npm run preview (vite preview)  in package.json", "npm run reset-password (node reset.js)  in package.json", "nox -s docs ()  in noxfile.py",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestCostOfHostileFiles: lines that are joined take memory in proportion to their length. It is not parallel, because
// the allocations of the whole process count.
func TestCostOfHostileFiles(t *testing.T) {
	costtest.Hold(t, []byte("\tx \\\n"), func(lines []byte) { manifest.Tasks(files{"Makefile": "build:\n" + string(lines) + "\ty\n"}) })
	costtest.Hold(t, []byte("# A\n"), func(lines []byte) {
		_, _ = manifest.Settings(".env.example", append(lines, "A=1\n"...))
	})
}
