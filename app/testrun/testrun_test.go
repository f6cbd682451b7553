package testrun_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
	"github.com/causaldocs/causal/testgen/spec"
)

// TestMain makes the test binary the program that starts tests confined.
func TestMain(m *testing.M) {
	if confine.IsLauncher() {
		os.Exit(confine.Launch())
	}
	os.Exit(m.Run())
}

// tree is a repository on disk, of which a survey reads the same files.
type tree struct {
	root  string
	files map[string]string
}

// All implements surveytest.Files.
func (r tree) All() map[string]string { return r.files }

// forgetful is an empty cache.
type forgetful struct{}

func (forgetful) Get(string, any) bool    { return false }
func (forgetful) Put(string, any) error   { return nil }
func (forgetful) Has(string, string) bool { return true }
func (forgetful) None() bool              { return false }
func (forgetful) String() string          { return "" }

// planted is a repository with a Go module.
func planted(t *testing.T, files map[string]string) tree {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	r := tree{t.TempDir(), map[string]string{"go.mod": "module example.com/x\n\ngo 1.22\n"}}
	maps.Copy(r.files, files)
	for name, text := range r.files {
		file := filepath.Join(r.root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// held fails if the files of the repository differ.
func (r tree) held(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(r.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(r.root, file)
		if data, err := os.ReadFile(file); err != nil || string(data) != r.files[filepath.ToSlash(name)] {
			t.Errorf("%s holds\n%s\n%v", name, data, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// runner runs tests unconfined.
func (r tree) runner(t *testing.T) *testrun.Runner {
	t.Helper()
	return &testrun.Runner{Root: r.root}
}

// confined runs tests through this test binary, which confines them.
func (r tree) confined(t *testing.T) *testrun.Runner {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &testrun.Runner{Root: r.root, Launcher: self}
}

// jobs returns new specs for functions.
func (r tree) jobs(t *testing.T, subjects ...string) []*testrun.Job {
	t.Helper()
	s, done, err := surveytest.Look(t.Context(), t.TempDir(), r, languages.All())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := done(); err != nil {
			t.Error(err)
		}
	})
	plans := testgen.NewPlans(s, []*testgen.Language{golang.Language}, forgetful{}, nil, forgetful{})
	var out []*testrun.Job
	for _, subject := range subjects {
		target, now, err := plans.Target(t.Context(), subject)
		if err != nil || target == nil || target.Reason != "" {
			t.Fatalf("%s: %v, %v", subject, target, err)
		}
		cases, _ := target.Propose()
		out = append(out, &testrun.Job{
			Subject: subject, File: store.Layout{}.Spec(testgen.Split(subject)), Target: target, Now: now,
			Spec: &spec.Spec{Target: target.Spec, Rationale: target.Rationale, Cases: cases, Status: spec.Pending, DependsOn: now},
		})
	}
	return out
}

// run runs jobs and stores the results in their specs.
func (r tree) run(t *testing.T, runner *testrun.Runner, jobs ...*testrun.Job) *testrun.Verified {
	t.Helper()
	recorded, sum, err := runner.Run(t.Context(), jobs)
	if err != nil {
		t.Fatal(err)
	}
	r.held(t)
	for _, j := range jobs {
		if recorded[j.Subject] == nil {
			t.Fatalf("nothing is said of %s", j.Subject)
		}
		testgen.Apply(j.Spec, recorded[j.Subject])
	}
	return sum
}

// calls formats the cases with results, and kept those that become code.
func calls(s *spec.Spec) string {
	var out []string
	for i := range s.Cases {
		if c := &s.Cases[i]; c.Want != nil && c.Quarantined == "" {
			out = append(out, spec.CallText(s.Target.Symbol, c)+"="+c.Want.Text())
		}
	}
	return strings.Join(out, " ")
}

// reasons lists why cases are left out of the code.
func reasons(s *spec.Spec) string {
	var out []string
	for i := range s.Cases {
		if s.Cases[i].Quarantined != "" {
			out = append(out, s.Cases[i].Quarantined)
		}
	}
	return strings.Join(out, "; ")
}

const odd = `package odd

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Twice doubles a number.
func Twice(n int) int { return 2 * n }

// Half is refused for odd numbers such as 7.
func Half(n int) (int, error) {
	if n%2 != 0 {
		return 0, errors.New("odd")
	}
	return n / 2, nil
}

// Joined writes numbers in the order of a map.
func Joined(n int) (all string) {
	m := map[int]int{}
	for i := range 300 {
		m[i] = n
	}
	for k := range m {
		all += fmt.Sprint(k, ",")
	}
	return all
}

// Keys lists what stands in a map, which is in the same order most of the time.
func Keys(m map[string]int) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

// EncodeWords writes words such as "b a" and "c d".
func EncodeWords(words string) string { return words }

// DecodeWords reads words, and sorts them: "b a" does not come back.
func DecodeWords(text string) string {
	words := strings.Split(text, " ")
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Bug adds numbers, so that the documentation shows Bug(2, 2) is 5.
func Bug(a, b int) int { return a + b }

// Place tells where something lies.
func Place(n int) string { return fmt.Sprintf("%p", &n) }

// Boom never returns.
func Boom(n int) int { panic(fmt.Sprint("boom ", n)) }

// Loud talks much.
func Loud(n int) int {
	fmt.Println(string(bytes.Repeat([]byte("x"), 1<<20)))
	return n
}

// Fill takes more than it may for numbers below zero.
func Fill(n int) int {
	if n < 0 {
		all := make([]byte, 1100<<20)
		for {
			all[0]++
		}
	}
	return n
}
`

// TestResults: stable results are recorded, and others are left out with the reason.
func TestResults(t *testing.T) {
	t.Parallel()
	r := planted(t, map[string]string{
		"odd/odd.go": odd, "odd/odd_test.go": "package odd\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Fail()\n\t}\n}\n",
	})
	jobs := r.jobs(t, "odd/Twice", "odd/Half", "odd/Joined", "odd/Place", "odd/Boom", "odd/Loud", "odd/Fill", "odd/Keys", "odd/EncodeWords", "odd/Bug")
	runner := r.confined(t)
	runner.Repeat(32)
	sum := r.run(t, runner, jobs...)
	of := map[string]*spec.Spec{}
	for _, j := range jobs {
		_, symbol := testgen.Split(j.Subject)
		of[symbol] = j.Spec
	}
	if got := calls(of["Twice"]); !strings.Contains(got, "Twice(0)=0") && !strings.Contains(got, "Twice(1)=2") {
		t.Errorf("Twice gives %s", got)
	}
	if got := calls(of["Half"]); !strings.Contains(got, "=error") || !strings.Contains(got, ")=0") && !strings.Contains(got, "=1") {
		t.Errorf("Half gives %s", got)
	}
	for _, symbol := range []string{"Joined", "Place", "Boom", "Keys"} {
		if got := calls(of[symbol]); got != "" {
			t.Errorf("%s gives %s", symbol, got)
		}
	}
	for symbol, why := range map[string]string{"Joined": "another result", "Place": "another result", "Keys": "another result", "EncodeWords": "came back as", "Bug": "the documentation says 5, and it gives 4", "Fill": "memory"} {
		if got := reasons(of[symbol]); !strings.Contains(got, why) {
			t.Errorf("%s is kept out because of %q, want %q", symbol, got, why)
		}
	}
	if got := calls(of["Bug"]); got == "" || strings.Contains(got, "Bug(2, 2)") {
		t.Errorf("Bug gives %s", got)
	}
	if got := calls(of["EncodeWords"]); got == "" {
		t.Errorf("EncodeWords gives nothing; kept out: %s", reasons(of["EncodeWords"]))
	}
	if got := calls(of["Loud"]); got == "" {
		t.Errorf("Loud gives nothing; kept out: %s", reasons(of["Loud"]))
	}
	if sum.Candidates == 0 || sum.Before == 0 || sum.After <= sum.Before || sum.Statements < sum.After {
		t.Errorf("the sum is %+v", sum)
	}
}

// TestTime: a slow call is aborted, and quick ones are kept.
func TestTime(t *testing.T) {
	t.Parallel()
	r := planted(t, map[string]string{"a/a.go": "package a\n\nfunc Wait(s string) int {\n\tfor s == \"\" {\n\t}\n\treturn len(s)\n}\n\nfunc Quick(n int) int { return n }\n"})
	jobs := r.jobs(t, "a/Wait", "a/Quick")
	runner := r.runner(t)
	runner.LimitCalls(2 * time.Second)
	r.run(t, runner, jobs...)
	if why := reasons(jobs[0].Spec); !strings.Contains(why, "longer than 2 seconds") {
		t.Errorf("Wait is kept out because of %q", why)
	}
	if calls(jobs[1].Spec) == "" {
		t.Errorf("Quick gives nothing; kept out: %s", reasons(jobs[1].Spec))
	}
}

// TestGivenCases: a spec with results keeps its cases, each with its current result. Results in documented examples
// are the expected ones, even if the function returns another. A model is only asked for new specs.
func TestGivenCases(t *testing.T) {
	t.Parallel()
	mine := "package a_test\n\n// Mine.\n"
	r := planted(t, map[string]string{
		"a/a.go":                    "package a\n\nfunc Next(n int) int { return n + 1 }\n\nfunc Prior(n int) int { return n - 1 }\n\nfunc Succ(n int) int { return n + 1 }\n",
		"a/zz_causal_prior_test.go": mine,
		"a/example_test.go":         "package a_test\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/x/a\"\n)\n\nfunc ExampleNext() {\n\tfmt.Println(a.Next(41))\n\tfmt.Println(a.Next(6))\n\t// Output:\n\t// 42\n\t// 8\n}\n",
	})
	jobs := r.jobs(t, "a/Next", "a/Succ", "a/Prior")
	next, succ, prior := jobs[0], jobs[1], jobs[2]
	succ.Spec.Evidence.Runs = 3
	number := func(n int64) []spec.Typed { return []spec.Typed{{Type: "int", Value: n}} }
	succ.Spec.Cases = []spec.Case{
		{ID: "c-same", Law: spec.Golden, Args: number(1), Want: &spec.Want{Values: number(2)}}, {ID: "c-other", Law: spec.Golden, Args: number(5), Want: &spec.Want{Values: number(9)}},
		{ID: "c-mine", Law: spec.Golden, By: spec.Human, Args: number(7)}, {ID: "c-odd", Law: spec.Golden, By: spec.Human, Args: []spec.Typed{{Type: "int", Value: "seven"}}},
		{ID: "c-none", Law: spec.Golden, By: spec.Human, Args: []spec.Typed{{Type: "int", Value: int64(1)}, {Type: "int", Value: int64(1)}}},
	}
	runner, m := r.runner(t), &model{answer: `{"cases": []}`}
	runner.Model = m
	r.run(t, runner, jobs...)

	s, became := next.Spec, map[string]string{}
	for _, c := range s.Cases {
		if c.Law == spec.Example {
			became[spec.CallText("Next", &c)+"="+c.Want.Text()] = c.Became.String()
		}
	}
	if want := map[string]string{"Next(41)=42": "", "Next(6)=8": "{int: 7}"}; !maps.Equal(became, want) {
		t.Errorf("the examples are %v, want %v", became, want)
	}
	if changes := testgen.Changes("a.yml", s); len(changes) != 1 || changes[0].Was != "8" || changes[0].Is != "7" {
		t.Errorf("told is %v", changes)
	}
	if s.Observed != next.Now {
		t.Errorf("observed is %v", s.Observed)
	}

	s = succ.Spec
	if len(s.Cases) != 5 {
		t.Fatalf("the cases are %v", s.Cases)
	}
	for id, want := range map[string][2]string{"c-same": {"{int: 2}", ""}, "c-other": {"{int: 9}", "{int: 6}"}, "c-mine": {"{int: 8}", ""}} {
		if c := s.Case(id); c.Want.String() != want[0] || c.Became.String() != want[1] {
			t.Errorf("%s wants %s, and became %s", id, c.Want, c.Became)
		}
	}
	for _, id := range []string{"c-odd", "c-none"} {
		if c := s.Case(id); c.Want != nil || c.Became == nil || !c.Became.Failed() {
			t.Errorf("%s wants %s, and became %s", id, c.Want, c.Became)
		}
	}

	if calls(prior.Spec) == "" { // the file in its place is not a generated one: the code waits until it is gone
		t.Errorf("with a file in the way, Prior gives nothing; kept out: %s", reasons(prior.Spec))
	}
	if len(m.asked) != 2 || strings.Contains(strings.Join(m.asked, ""), "Succ(") {
		t.Errorf("the model is asked %q", m.asked)
	}
}

// TestNothingIsWritten: neither generated nor handwritten tests write to the repository or leave files behind.
func TestNothingIsWritten(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Mkdir(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	r := planted(t, nil)
	for name, text := range map[string]string{
		"a/a.go": fmt.Sprintf("package a\n\nimport \"os\"\n\nfunc init() {\n\t_ = os.WriteFile(\"here\", nil, 0o600)\n\t_ = os.WriteFile(%q, nil, 0o600)\n\t_ = os.WriteFile(%q, nil, 0o600)\n}\n\nfunc Next(n int) int { return n + 1 }\n",
			filepath.Join(r.root, "there"), filepath.Join(outside, "there")),
		"a/a_test.go":         "package a\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestNext(t *testing.T) {\n\tif _, err := os.ReadFile(\"testdata/in.txt\"); err != nil {\n\t\tt.Fatal(err)\n\t}\n\t_ = os.WriteFile(\"testdata/out.txt\", nil, 0o600)\n\tif Next(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n",
		"a/testdata/in.txt":   "in",
		"a/testdata/b/in.txt": "in",
	} {
		r.files[name] = text
		file := filepath.Join(r.root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	jobs := r.jobs(t, "a/Next")
	sum := r.run(t, r.confined(t), jobs...)
	if calls(jobs[0].Spec) == "" || sum.Before == 0 {
		t.Errorf("Next gives nothing: %s; tests of people reach %d statements", reasons(jobs[0].Spec), sum.Before)
	}
	if list, err := os.ReadDir(temp); err != nil || len(list) > 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) > 0 && confines(t) {
		t.Errorf("written outside: %v, %v", list, err)
	}
}

// confines reports whether this system can confine programs to a directory.
func confines(t *testing.T) bool {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	touch, err := exec.LookPath("touch")
	if err != nil {
		return false
	}
	return confine.Program{Launcher: self, Dir: t.TempDir(), Path: touch, Args: []string{filepath.Join(t.TempDir(), "new")}, Time: 1 << 40}.Run(t.Context()) != nil
}

// TestBuilds: tests that do not build without generated files are reported with the file.
func TestBuilds(t *testing.T) {
	t.Parallel()
	const next = "package a\n\nfunc Next(n int) int { return n + 1 }\n"
	for name, test := range map[string]struct {
		files map[string]string
		says  string // empty if they build
	}{
		"with what was generated":       {map[string]string{"a/a.go": next, "a/zz_causal_gone_test.go": "package a_test\n\nvar _ = undefinedName\n"}, ""},
		"with a test that does not":     {map[string]string{"a/a.go": next, "a/broken_test.go": "package a\n\nvar _ = undefinedName\n"}, "broken_test.go:3"},
		"with a package that does not":  {map[string]string{"a/a.go": "package a\n\nfunc Next(n int) int { return nothing }\n"}, "a.go:3"},
		"with what imports one of them": {map[string]string{"a/a.go": "package a\n\nimport \"example.com/x/b\"\n\nfunc Next(n int) int { return b.B(n) }\n", "b/b.go": "package b\n\nfunc Broken( {\n"}, "b.go:3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := planted(t, test.files)
			err := r.runner(t).Builds(t.Context(), []testrun.Place{{Language: "go", Dir: "a"}})
			var bad *testrun.BuildError
			switch {
			case test.says == "" && err != nil:
				t.Error(err)
			case test.says != "" && (!errors.As(err, &bad) || bad.Package != "a" || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), r.root)):
				t.Errorf("got %v", err)
			}
			r.held(t)
		})
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	r := planted(t, map[string]string{"a/a.go": "package a\n\nfunc Next(n int) int { return n + 1 }\n"})
	jobs := r.jobs(t, "a/Next")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := r.runner(t).Run(ctx, jobs); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	r.held(t)
}
