package testrun

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
	"github.com/causaldocs/causal/testgen/typescript"
)

// files are the sources of a work tree.
type files map[string]string

// All implements surveytest.Files.
func (t files) All() map[string]string { return t }

type forgetful struct{}

func (forgetful) Get(string, any) bool  { return false }
func (forgetful) Put(string, any) error { return nil }

// jobs returns new specs for all functions of src.
func jobs(t *testing.T, sources files) (root string, list []*Job) {
	t.Helper()
	root = t.TempDir()
	for name, text := range sources {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, done, err := surveytest.Look(context.Background(), t.TempDir(), sources, languages.All())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	}()
	m, err := testgen.NewPlans(s, []*testgen.Language{typescript.Language}, forgetful{}, nil, nil).Open("src")
	if err != nil || m == nil {
		t.Fatal("no module", err)
	}
	for _, symbol := range m.Symbols() {
		target, err := m.Target(symbol)
		if err != nil || target.Reason != "" {
			t.Fatal(symbol, target.Reason, err)
		}
		list = append(list, &Job{Subject: testgen.Subject("src", symbol), Spec: &spec.Spec{Target: target.Spec, Status: spec.Pending}, Target: target})
	}
	return root, list
}

const withVitest = `{"type": "module", "devDependencies": {"vitest": "*"}}`

func TestWithoutVitestSpecsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not in the PATH")
	}
	for name, tt := range map[string]struct{ manifest, want string }{"not needed": {"{}", "no package.json above src/a.ts has vitest"}, "not installed": {withVitest, "vitest is not installed for src/a.ts"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, list := jobs(t, files{"package.json": tt.manifest, "src/a.ts": "export function a(n: number) { return n }"})
			said := ""
			r := &Runner{Root: root, Warn: func(m *MissingError) { said += m.Error() }}
			recorded, _, err := r.Run(context.Background(), list)
			if err != nil || len(recorded) != 0 || !strings.Contains(said, tt.want) {
				t.Errorf("recorded %v, said %q, %v; want %q", recorded, said, err, tt.want)
			}
		})
	}
}

// TestVitest runs where CAUSAL_VITEST names a node_modules with vitest.
func TestVitest(t *testing.T) {
	t.Parallel()
	modules := os.Getenv("CAUSAL_VITEST")
	if modules == "" {
		t.Skip("CAUSAL_VITEST names no node_modules with vitest")
	}
	root, list := jobs(t, files{
		"package.json": withVitest,
		"src/a.ts": `export function double(n: number) { if (n < 0) throw new RangeError("negative"); return 2 * n }
export async function later(s: string) { return s.split("") }
export function odd(s: string) { return s + new Intl.DateTimeFormat().resolvedOptions().timeZone }
/**
 * @example
 * wrong("a") // => "b"
 */
export function wrong(s: string) { return s }
`,
	})
	if err := os.Symlink(modules, filepath.Join(root, "node_modules")); err != nil {
		t.Fatal(err)
	}
	recorded, _, err := (&Runner{Root: root}).Run(context.Background(), list)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"src/a.double": "{error: true}", "src/a.later": `{array: ["a"]}`, "src/a.odd": "it gives another result in another run",
		"src/a.wrong": "the documentation shows b, and it gives a",
	}
	for subject, text := range want {
		got := ""
		for _, c := range recorded[subject].Chosen.Cases {
			got += c.String() + "\n"
		}
		if !strings.Contains(got, text) {
			t.Errorf("%s: want %s among\n%s", subject, text, got)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "src/a.causal.test.ts")); err == nil {
		t.Error("a file was written to the work tree")
	}
}

func TestFirstLineNamesTheError(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"node:internal:1\n\n\x1b[31mError: no such module\x1b[0m\n at x": "Error: no such module", "\n only this\n": "only this", "": "it says nothing",
	} {
		if got := firstLine(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestKeepOutFindsTheCase(t *testing.T) {
	t.Parallel()
	_, list := jobs(t, files{"package.json": withVitest, "src/a.ts": "export function a(n: number) { return n }"})
	report := filepath.Join(t.TempDir(), "report.json")
	text := `{"testResults": [{"name": "/copy/src/a.causal.test.ts", "assertionResults": [
		{"ancestorTitles": ["a"], "title": "c-1 a value at the edge", "status": "failed", "failureMessages": ["AssertionError: expected 1 to be 2\n at x"]},
		{"ancestorTitles": ["a"], "title": "c-2 another", "status": "passed"}]}]}`
	if err := os.WriteFile(report, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := readReport(report)
	if err != nil {
		t.Fatal(err)
	}
	one := &spec.Spec{Cases: []spec.Case{{ID: "c-1", Law: spec.Golden, Want: &spec.Want{Error: true}}, {ID: "c-2", Law: spec.Golden, Want: &spec.Want{Error: true}}}}
	recorded := map[string]*testgen.Recorded{list[0].Subject: {Results: map[string]testgen.Result{}}}
	again := keepOutTS(r, []*trial{{file: "src/a.causal.test.ts", jobs: list[:1], specs: []testgen.Coded{{Spec: one, Target: list[0].Target}}}}, recorded)
	got := recorded[list[0].Subject]
	if !again || len(got.Results) != 1 || got.Results["c-1"].Failed != "it does not hold: AssertionError: expected 1 to be 2" || got.Problem != "" {
		t.Errorf("again %v, %+v", again, got)
	}
}
