package app_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

// rows reads the tables of a document: the cells behind the first one, by the first one, which is code.
func rows(page string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		name := strings.TrimSpace(cells[0])
		if strings.HasPrefix(line, "| `") && strings.Count(name, "`") == 2 {
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			out[strings.Trim(name, "`")] = cells[1:]
		}
	}
	return out
}

// section is the part of a document under a heading.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "\n## "+heading+"\n")
	if !found {
		t.Fatalf("there is no section %q", heading)
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// sameNames compares described names with real ones.
func sameNames[A, B any](t *testing.T, what string, described map[string]A, real map[string]B) {
	t.Helper()
	got, want := slices.Sorted(maps.Keys(described)), slices.Sorted(maps.Keys(real))
	if !slices.Equal(got, want) {
		t.Errorf("%s: described are %v, real are %v", what, got, want)
	}
}

func TestSelfHostingSaysWhatTheAppMayDo(t *testing.T) {
	t.Parallel()
	described := rows(section(t, rootFile(t, "docs/self-hosting.md"), "What the App may do"))
	want := map[string][]string{}
	for _, g := range web.Grants {
		want[g.Name] = []string{g.Level, g.Reason}
	}
	for name, level := range bot.Permissions {
		if !slices.Contains(want[name], level) {
			t.Errorf("the bot needs %s=%s, which the App does not ask for", name, level)
		}
	}
	for _, e := range webhooks.Events {
		want[e.Name] = []string{e.Why}
	}
	sameNames(t, "permissions and events", described, want)
	for name, cells := range want {
		if !slices.Equal(described[name], cells) {
			t.Errorf("%s is described as %q, and is %q", name, described[name], cells)
		}
	}
}

var variable = regexp.MustCompile(`CAUSAL_[A-Z_]+`)

// variables are the environment variables that the server reads.
func variables(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, name := range variable.FindAllString(web.Credentials{}.Environment()+help(t, "serve"), -1) {
		out[name] = true
	}
	return out
}

func TestSelfHostingSaysWhatCanBeSet(t *testing.T) {
	t.Parallel()
	flags, settings := map[string][]string{}, map[string][]string{}
	for name, cells := range rows(section(t, rootFile(t, "docs/self-hosting.md"), "Settings")) {
		if strings.HasPrefix(name, "--") {
			flags[name] = cells
		} else {
			settings[name] = cells
		}
	}
	known := flagsIn(help(t, "serve"))
	sameNames(t, "flags", flags, known)
	sameNames(t, "variables", settings, variables(t))
	for name, cells := range flags {
		if !strings.Contains(cells[0], known[name]) {
			t.Errorf("the default of %s is described as %s, and is %q", name, cells[0], known[name])
		}
	}
}

// idle is a queue with nothing in it.
type idle struct{}

func (idle) Stats(context.Context) (queue.Stats, error) { return queue.Stats{}, nil }
func (idle) Ping(context.Context) error                 { return nil }
func (idle) RestartAll(context.Context) (int, error)    { return 0, nil }

func TestSelfHostingSaysWhatTheAdminPortAnswers(t *testing.T) {
	t.Parallel()
	admin, err := webhooks.Admin(webhooks.AdminConfig{Queue: idle{}, Metrics: webhooks.NewMetrics(), Now: func() time.Time { return time.Time{} }})
	if err != nil {
		t.Fatal(err)
	}
	described := rows(section(t, rootFile(t, "docs/self-hosting.md"), "The admin port"))
	paths := 0
	for name := range described {
		if !strings.HasPrefix(name, "/") {
			continue
		}
		paths++
		delete(described, name)
		answer, method := httptest.NewRecorder(), http.MethodGet
		if name == "/restart-dead" {
			method = http.MethodPost
		}
		admin.ServeHTTP(answer, httptest.NewRequest(method, name, nil))
		if answer.Code != http.StatusOK {
			t.Errorf("%s answers %d", name, answer.Code)
		}
	}
	if paths != 5 {
		t.Errorf("%d paths are described", paths)
	}
	sameNames(t, "metrics", described, metrics(t))
}

// metrics are the names of the webhook metrics.
func metrics(t *testing.T) map[string]bool {
	t.Helper()
	sources, err := filepath.Glob("../webhooks/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), source, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil && regexp.MustCompile(`^causal(_[a-z]+)+$`).MatchString(text) {
					out[text] = true
				}
			}
			return true
		})
	}
	return out
}
