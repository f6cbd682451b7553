package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// TestParts: routes, first pages and entry points decide the role of a part, not the libraries alone.
func TestParts(t *testing.T) {
	t.Parallel()
	library := func(path, language string) Summary { return Summary{Path: path, Language: language, API: true} }
	react := `{"description": "Shows carts.", "dependencies": {"react": "1"}}`
	services, directories := strings.Builder{}, []Summary{}
	for i := range 45 {
		fmt.Fprintf(&services, "  s%d: {image: i%d}\n", i, i)
		directories = append(directories, library(fmt.Sprintf("d%02d", i), "go"))
	}
	for name, x := range map[string]struct {
		files   blobs
		modules []Summary
		routes  []string // modules
		want    string
	}{
		"none":                  {blobs{}, nil, nil, ""},
		"library":               {blobs{"Cargo.toml": "[dependencies]\nclap = \"4\"\n"}, []Summary{library("src", "rust")}, nil, "Built with Rust, clap\n\n"},
		"command":               {blobs{"Cargo.toml": "[dependencies]\nclap = \"4\"\n"}, []Summary{{Path: "src", Language: "rust", Kind: kindCommand}}, nil, "Command-line program built with Rust, clap\n\n"},
		"program":               {blobs{"go.mod": "module x\n"}, []Summary{{Path: ".", Language: "go", Kind: kindCommand}, library("a", "go")}, nil, "Program built with Go\n\n"},
		"library with a tool":   {blobs{"go.mod": "module x\n"}, []Summary{library(".", "go"), {Path: "cmd/x", Language: "go", Kind: kindCommand}}, nil, ""},
		"module that also runs": {blobs{"go.mod": "module x\n"}, []Summary{{Path: "a", Language: "python", Kind: kindCommand, API: true}}, nil, ""},
		"program without routes": {
			blobs{"server/pom.xml": "<project><artifactId>s</artifactId><dependencies><dependency><groupId>x</groupId><artifactId>armeria</artifactId></dependency></dependencies></project>", "kit/package.json": react},
			[]Summary{{Path: "server/src", Language: "java", Kind: kindCommand, API: true}, library("kit", "typescript")}, nil,
			"## Parts\n\n| Part | What it is | Built with |\n|---|---|---|\n" +
				"| [`server`](../../server/) | program | Java, Armeria |\n| [`kit`](../../kit/) | “Shows carts.” | TypeScript, React |\n\n",
		},
		"web application": {
			blobs{"package.json": `{"dependencies": {"next": "1", "react": "1"}}`}, []Summary{library("app", "typescript"), library("tests/e2e", "python")}, []string{"app"},
			"Web application built with TypeScript, Next.js, React\n\n",
		},
		"several databases": { // of which it may use none
			blobs{"package.json": `{"dependencies": {"express": "1", "pg": "1", "mongodb": "1"}}`}, []Summary{library("server", "javascript")}, []string{"server"},
			"HTTP service built with JavaScript, Express, clients for PostgreSQL, MongoDB\n\n",
		},
		"a database": {
			blobs{"package.json": `{"dependencies": {"express": "1", "pg": "1"}}`}, []Summary{library("server", "javascript")}, []string{"server"},
			"HTTP service built with JavaScript, Express, PostgreSQL\n\n",
		},
		"several": {
			blobs{
				"ui/package.json": react, "ui/index.html": "x", "kit/package.json": react, "go.mod": "module x\nrequire (\n\tgithub.com/hibiken/asynq v1.0.0\n\tgithub.com/lib/pq v1.0.0 // indirect\n)\n",
				"docker-compose.yml": "services:\n  app:\n    build: .\n    depends_on: [queue, db]\n  queue:\n    image: redis\n  ui:\n    build: {context: ui}\n  other:\n    build: elsewhere\n  self:\n    image: ghcr.io/acme/shop:2\n",
			},
			[]Summary{library("ui/src", "typescript"), library("kit", "typescript"), library("api", "go")},
			[]string{"api"},
			"## Parts\n\n| Part | What it is | Built with | Needs |\n|---|---|---|---|\n" +
				"| [repository root](../../) | HTTP service, worker | Go, Asynq | `db` and `queue` |\n" +
				"| [`ui`](../../ui/) | web frontend: “Shows carts.” | TypeScript, React |  |\n" +
				"| [`kit`](../../kit/) | “Shows carts.” | TypeScript, React |  |\n" +
				"| `queue` | service | `redis` |  |\n\n",
		},
		"libraries of a workspace": {
			blobs{"packages/shop/package.json": `{"description": "Sells things."}`, "packages/playground/package.json": react, "packages/playground/index.html": "x"},
			[]Summary{library("packages/shop/src", "typescript"), library("packages/playground/src", "typescript")}, nil,
			"## Parts\n\n| Part | What it is | Built with |\n|---|---|---|\n" +
				"| [`packages/playground`](../../packages/playground/) | web frontend: “Shows carts.” | TypeScript, React |\n" +
				"| [`packages/shop`](../../packages/shop/) | “Sells things.” | TypeScript |\n\n",
		},
		"parts of a library, one without a description": {
			blobs{"shop/pom.xml": "<project/>", "tax/pom.xml": "<description>Counts taxes.</description>", "till/pom.xml": "<description>Takes money.</description>"},
			[]Summary{library("shop/src", "java"), library("tax/src", "java"), library("till/src", "java")}, nil,
			"## Parts\n\n| Part | What it is | Built with |\n|---|---|---|\n" +
				"| [`shop`](../../shop/) |  | Java |\n| [`tax`](../../tax/) | “Counts taxes.” | Java |\n| [`till`](../../till/) | “Takes money.” | Java |\n\n",
		},
		"the language of what runs": {
			blobs{"Cargo.toml": "[dependencies]\nactix-web = \"4\"\n"}, []Summary{library("a", "javascript"), library("b", "javascript"), library("src", "rust")}, []string{"src"},
			"HTTP service built with Rust, Actix\n\n",
		},
		"a service for development": {
			blobs{"Cargo.toml": "[dependencies]\nclap = \"4\"\n", "compose.yaml": "services:\n  mail: {image: axllent/mailpit}\n"},
			[]Summary{library("src", "rust")}, nil, "Built with Rust, clap\n\nFor development: `mail` (`axllent/mailpit`).\n\n",
		},
		"more than are listed": {
			blobs{"go.mod": "module x\n", "compose.yaml": "services:\n" + services.String()}, directories, nil,
			"The compose file has 6 more services. 5 more directories are not examined for projects.\n\n",
		},
	} {
		f := &facts{r: x.files}
		p := projectOf(f, x.modules, survey.Readme{}, "Shop")
		err := f.err
		if err != nil {
			t.Fatal(err)
		}
		page := indexPage{sheet: newSheet(Config{Layout: layout}, &fakeGraph{list: x.modules}, layout.Index()), project: p}
		for _, m := range x.routes {
			page.routes = append(page.routes, element{node.Behavior{Name: "GET /"}, m})
		}
		page.parts()
		got := page.b.String()
		if strings.HasPrefix(name, "more than") {
			got = got[strings.LastIndex(got, "|\n\n")+3:]
		}
		if got != x.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", name, got, x.want)
		}
	}
}

// TestOrderOfParts: the parts that run take turns, and what answers requests is there.
func TestOrderOfParts(t *testing.T) {
	t.Parallel()
	library := func(path string, deps ...string) Summary { return Summary{Path: path, API: true, Deps: deps} }
	modules := []Summary{
		library("api", "api/routes"), library("api/migrations/versions", "api", "api/store"), library("api/model"), library("api/routes", "api/store", "api/model"), library("api/store", "api/model"),
		library("api/tests", "api"), library("ui/a", "ui/b", "ui/c", "ui/d"), library("ui/b", "ui/c", "ui/d"), library("ui/c", "ui/d"), library("ui/d"), library("ui/e", "ui/b", "ui/c", "ui/d"),
	}
	files := blobs{"api/go.mod": "module x\n", "ui/package.json": `{"dependencies": {"react": "1"}}`, "ui/index.html": ""}
	f := &facts{r: files}
	p := projectOf(f, modules, survey.Readme{}, "Shop")
	err := f.err
	if err != nil {
		t.Fatal(err)
	}
	x := p.system(&fakeGraph{list: modules}, []element{{node.Behavior{}, "api/routes"}})
	var got []string
	for _, r := range x.order(modules, "x") {
		got = append(got, r.module.Path+" "+r.why)
	}
	want := []string{
		"api leads to most of `api`", "ui/a leads to most of `ui`", "api/routes answers requests", "ui/b used by `ui/a` and `ui/e`", "ui/c used by `ui/a`, `ui/b` and `ui/e`",
		"api/model used by `api/routes` and `api/store`", "ui/d many modules use it",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
