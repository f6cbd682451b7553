package render

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
)

// blobs answers facts about files.
type blobs map[string]string

func (b blobs) Read(f fact.Fact) (any, error) {
	text, there := b[f.Name]
	switch {
	case f == survey.BlobFact(f.Name) && there:
		return []byte(text), nil
	case f == survey.BlobFact(f.Name):
		return []byte(nil), nil
	case f == survey.PathFact(f.Name) && there:
		return "there", nil
	case f == survey.PathFact(f.Name):
		return "", nil
	case f == survey.AllModules:
		var dirs []string
		for _, name := range slices.Sorted(maps.Keys(b)) {
			if path.Ext(name) == ".go" {
				dirs = append(dirs, path.Dir(name))
			}
		}
		return slices.Compact(dirs), nil
	}
	for _, l := range []survey.FileList{survey.ManualList, survey.SettingsList, survey.SampleList} {
		if f == survey.ListFact(l) {
			return slices.DeleteFunc(slices.Sorted(maps.Keys(b)), func(name string) bool { return !l.Has(name) }), nil
		}
	}
	return nil, fmt.Errorf("%s is asked for", f)
}

const shopReadme = "# Shop\n\n## 🚀 Getting started\n\n```sh\n# Install\n```\n\n## License\n\n## Tutorials\n\n### Running tests\n\n## Running tests\n\n## Why the installation of a shop takes so long in some countries\n"

func TestEntryPageSaysHowToRunIt(t *testing.T) {
	t.Parallel()
	files := blobs{
		"Makefile": "test:\n\tgo test ./...\n", "package.json": `{"packageManager": "pnpm@9"}`, "go.mod": "module shop\n", "CONTRIBUTING.md": "x", "LICENSE.md": "x", "DOCUMENTATION.md": "x", "UserGuide.md": "x", "docs/how-to_sell.md": "x", "docs/tests/a.md": "x", "docs/api/[operation].md": "x", "docs/changelog.md": "x", "compose.yaml": "services: {db: {image: x}}\n",
		"web/package.json": `{"scripts": {"dev": "vite | cat"}}`, "a b;c/Makefile": "lint:\n\tx\n", "examples/package.json": `{"scripts": {"dev": "no"}}`, "internal/x/package.json": `{}`, "cmd/shopd/main.go": "",
	}
	modules := []Summary{{Path: "."}, {Path: "web/src"}, {Path: "web/src/api"}, {Path: "a b;c/src"}, {Path: "examples/a"}, {Path: "internal/x"}}
	f := &facts{r: files}
	p := projectOf(f, modules, survey.Readme{Path: "README.md", Content: []byte(shopReadme)}, "Shop")
	err := f.err
	if err != nil {
		t.Fatal(err)
	}
	x := indexPage{sheet: newSheet(Config{Layout: layout}, nil, layout.Index()), project: p}
	x.runIt()
	want := "## Run it\n\n" +
		"| To | Run | Found in |\n|---|---|---|\n" +
		"| install | `pnpm install` | [`package.json`](../../package.json) |\n" +
		"| install | `cd web && pnpm install` | [`web/package.json`](../../web/package.json) |\n" + // the root is no workspace
		"| run | `docker compose up` (starts db) | [`compose.yaml`](../../compose.yaml) |\n" +
		"| run | `go run ./cmd/shopd` | [`go.mod`](../../go.mod) |\n" +
		"| run | `cd web && pnpm run dev` (<code>vite &#124; cat</code>) | [`web/package.json`](../../web/package.json) |\n" +
		"| build | `go build ./...` | [`go.mod`](../../go.mod) |\n" +
		"| test | `make test` (`go test ./...`) | [`Makefile`](../../Makefile) |\n" +
		"| check | `cd 'a b;c' && make lint` (`x`) | [`a b;c/Makefile`](../../a%20b;c/Makefile) |\n\n" +
		"**Written by people**\n\n- [Getting started](../../README.md#-getting-started) · [Tutorials](../../README.md#tutorials) · [Running tests](../../README.md#running-tests) · " +
		"[Contributing](../../CONTRIBUTING.md) · [Documentation](../../DOCUMENTATION.md) · [UserGuide](../../UserGuide.md)\n- `docs`: [How to sell](../how-to_sell.md)\n\n"
	if got := x.b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTasksOfPackages: tasks that the root runs for all packages are not repeated.
func TestTasksOfPackages(t *testing.T) {
	t.Parallel()
	scripts := func(test string) string { return `{"scripts": {"test": "` + test + `", "dev": "vite"}}` }
	for root, repeated := range map[string]bool{"turbo run test": false, "npm run web:test": false, "jest": true} {
		f := &facts{r: blobs{"package.json": scripts(root), "web/package.json": scripts("vitest")}}
		p := projectOf(f, []Summary{{Path: "web/src"}}, survey.Readme{}, "Shop")
		err := f.err
		var got []string
		for _, task := range p.tasks {
			got = append(got, task.command())
		}
		if err != nil || slices.Contains(got, "cd web && npm run test") != repeated {
			t.Errorf("%s: %q, %v", root, got, err)
		}
	}
	f := &facts{r: blobs{"package.json": `{"packageManager": "pnpm@9"}`, "web/package.json": `{"scripts": {"preview": "vite preview"}}`}}
	own, _ := ownTasks(f, []string{"web/src"})
	if err := f.err; err != nil || len(own) != 1 || own[0].command() != "cd web && pnpm run preview" {
		t.Errorf("a task of a package in a workspace is %+v, %v", own, err)
	}
}

func TestEntryPageOfNoProject(t *testing.T) {
	t.Parallel()
	f := &facts{r: blobs{}}
	p := projectOf(f, nil, survey.Readme{Path: "README.rst", Content: []byte(shopReadme)}, "Shop")
	err := f.err
	if list, failed := Tasks(blobs{"Makefile": "test:\n\tsecret\n"}, func(name string) bool { return name == "Makefile" }); failed != nil || list != nil {
		t.Errorf("a hidden file gives %v, %v", list, failed)
	}
	x := indexPage{sheet: newSheet(Config{Layout: layout}, nil, layout.Index()), project: p}
	if x.runIt(); err != nil || x.b.Len() > 0 {
		t.Errorf("%v, %s", err, x.b.String())
	}
	if list := partsOf([]Summary{{Path: "a/b/c"}, {Path: "apps/b/c"}, {Path: "docs/x"}, {Path: "t", Kind: kindTests}}); strings.Join(list, " ") != "a apps a/b apps/b" {
		t.Errorf("parts: %q", list)
	}
}
