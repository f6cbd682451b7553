package testgen_test

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// recordedShop is the shop after a run, brought up to date.
func recordedShop(t testing.TB) *enginetest.Repository {
	t.Helper()
	files := recordings()(t)
	maps.Copy(files, shop)
	return repository(t, files)
}

// edit replaces what stands once in a file.
func edit(t testing.TB, r *enginetest.Repository, file, from, to string) {
	t.Helper()
	text, _ := r.Read(file)
	if strings.Count(text, from) != 1 {
		t.Fatalf("test bug: %q does not stand once in\n%s", from, text)
	}
	r.Write(file, strings.Replace(text, from, to, 1))
}

// wants are the results that a spec asks for, by case.
func wants(s *spec.Spec) map[string]string {
	out := map[string]string{}
	for i := range s.Cases {
		out[s.Cases[i].ID] = s.Cases[i].Want.String()
	}
	return out
}

// files are the spec of Parse and its tests. but leaves out what tells how they came to be.
func files(t testing.TB, r *enginetest.Repository) (text, code, but string) {
	t.Helper()
	text, ok := r.Read(parseFile)
	code, coded := r.Read(parseCode)
	if !ok || !coded {
		t.Fatalf("the spec is there: %v; its test: %v", ok, coded)
	}
	return text, code, regexp.MustCompile(`(?m)^frame_id: .*\n`).ReplaceAllString(text, "")
}

// verified has a run give of Parse what results says, and brings all up to date.
func verified(t testing.TB, r *enginetest.Repository, results func(c *spec.Case) testgen.Result) {
	t.Helper()
	record(t, r, parseFile, "money/Parse", results)
	run(t, r)
}

// lenient is what Parse gives that takes errors for zero.
func lenient(c *spec.Case) testgen.Result {
	if result := parsed(c); !result.Want.Error {
		return result
	}
	return testgen.Result{Want: &spec.Want{Values: []spec.Typed{{Type: "int", Value: int64(0)}}}}
}

const (
	skipped = "t.Skip("
	body    = "return strconv.Atoi(s)"
)

// TestNothingHappens: edits that change nothing of what a function does leave its spec and its tests to the byte.
func TestNothingHappens(t *testing.T) {
	t.Parallel()
	for name, edited := range map[string][3]string{
		"formatting":            {"money/digits.go", "{ return strconv.Atoi(s) }", "{\n\n\treturn strconv.Atoi( s )\n}"},
		"a comment":             {"money/digits.go", body, "/* decimal */ " + body},
		"a doc comment":         {"money/money.go", `such as "7" or "12".`, `like "7", "12" or "99".`},
		"a moved line":          {"money/money.go", "package money\n", "package money\n\n\n\n"},
		"a moved declaration":   {"money/money.go", "package money\n\n", "package money\n\n// Half is no part of it.\nconst Half = 50\n\n"},
		"another function":      {"money/clean.go", "strings.ToLower(name)", "strings.ToUpper(name)"},
		"a function more":       {"money/clean.go", "// Clean", "func More(n int) int { return n }\n\n// Clean"},
		"a function that calls": {"cart/cart.go", "a + b", "b + a"},
		"a comment in go.mod":   {"go.mod", "go 1.22", "go 1.22 // not later"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recordedShop(t)
			text, code, _ := files(t, r)
			edit(t, r, edited[0], edited[1], edited[2])
			run(t, r)
			if gotText, gotCode, _ := files(t, r); gotText != text || gotCode != code {
				t.Errorf("the spec is\n%s\nand was\n%s\nthe test is\n%s\nand was\n%s", gotText, text, gotCode, code)
			}
		})
	}
}

// TestFell: an edit of what a function does, or of what callers see of it, invalidates its spec, and has its test skipped with the reason.
func TestFell(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file, from, to, because string
	}{
		"its body":      {"money/money.go", "Scale * n", "n * Scale", `body_changed("money", "Parse")`},
		"a helper":      {"money/digits.go", body, "n, err := strconv.Atoi(s); return n, err", `body_changed("money", "Parse")`},
		"a constant":    {"money/money.go", "Scale = 100", "Scale = 50 + 50", `body_changed("money", "Parse")`},
		"its signature": {"money/money.go", "Parse(s string)", "Parse(s string, strict bool)", `symbol_changed("money", "Parse")`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recordedShop(t)
			before := read(t, r, parseFile)
			edit(t, r, test.file, test.from, test.to)
			report, _ := run(t, r)
			s := read(t, r, parseFile)
			if s.Status != spec.Invalidated || s.Fell == nil || s.Fell.Because != test.because || s.Fell.File != test.file || s.Fell.Session != report.Session {
				t.Fatalf("the spec is %s, by %+v; the session is %s", s.Status, s.Fell, report.Session)
			}
			if fmt.Sprint(wants(s)) != fmt.Sprint(wants(before)) || s.Rationale != before.Rationale || s.DependsOn != before.DependsOn {
				t.Errorf("what was recorded is %v of %+v, was %v of %+v", wants(s), s.DependsOn, wants(before), before.DependsOn)
			}
			_, code, _ := files(t, r)
			if !strings.Contains(code, skipped) || !strings.Contains(code, strings.ReplaceAll(test.because, `"`, `\"`)) || !strings.Contains(code, s.Fell.Session) || strings.Contains(code, "money.Parse(") {
				t.Errorf("the test is\n%s", code)
			}
		})
	}
}

// TestSameResults: what falls and gives the same results is as before, but for what it was recorded under.
func TestSameResults(t *testing.T) {
	t.Parallel()
	r := recordedShop(t)
	before := read(t, r, parseFile)
	_, code, _ := files(t, r)
	edit(t, r, "money/digits.go", body, "n, err := strconv.Atoi(s); return n, err")
	run(t, r)
	verified(t, r, parsed)
	s := read(t, r, parseFile)
	if s.Status != spec.Active || s.Fell != nil || s.Observed != (spec.Depends{}) || s.DependsOn.Body == before.DependsOn.Body || s.DependsOn.Interface != before.DependsOn.Interface {
		t.Errorf("the spec is %s of %+v, fell by %v", s.Status, s.DependsOn, s.Fell)
	}
	if _, again, _ := files(t, r); again != code || fmt.Sprint(wants(s)) != fmt.Sprint(wants(before)) || len(testgen.Changes(parseFile, s)) > 0 {
		t.Errorf("wants %v, changes %v, the test is\n%s", wants(s), testgen.Changes(parseFile, s), again)
	}
}

// changedShop is the shop after a run that found results to be others.
func changedShop(t testing.TB) (r *enginetest.Repository, before *spec.Spec, but string) {
	t.Helper()
	r = recordedShop(t)
	before = read(t, r, parseFile)
	_, _, but = files(t, r)
	edit(t, r, "money/digits.go", body, "n, _ := strconv.Atoi(s); return n, nil")
	run(t, r)
	verified(t, r, lenient)
	return r, before, but
}

func TestOtherResults(t *testing.T) {
	t.Parallel()
	r, before, but := changedShop(t)
	s := read(t, r, parseFile)
	changes := testgen.Changes(parseFile, s)
	if s.Status != spec.Invalidated || fmt.Sprint(wants(s)) != fmt.Sprint(wants(before)) || s.DependsOn != before.DependsOn || len(changes) != 2 {
		t.Fatalf("the spec is %s, wants %v, with changes %v", s.Status, wants(s), changes)
	}
	for _, c := range changes {
		if c.Spec != parseFile || c.Was != "error" || c.Is != "0" || !strings.HasPrefix(c.Call, `Parse("`) || s.Case(c.Case) == nil {
			t.Errorf("change %+v", c)
		}
	}
	if _, code, _ := files(t, r); !strings.Contains(code, skipped) {
		t.Errorf("the test is\n%s", code)
	}
	run(t, r)
	if again := read(t, r, parseFile); again.Status != spec.Invalidated || len(testgen.Changes(parseFile, again)) != 2 {
		t.Errorf("another run finds it %s, with changes %v", again.Status, testgen.Changes(parseFile, again))
	}
	t.Run("mended", func(t *testing.T) {
		edit(t, r, "money/digits.go", "n, _ := strconv.Atoi(s); return n, nil", body)
		run(t, r)
		if _, _, again := files(t, r); again != but {
			t.Errorf("the spec is\n%s\nwas\n%s", again, but)
		}
	})
}

func TestAnotherEditForgetsWhatWasSeen(t *testing.T) {
	t.Parallel()
	r, before, _ := changedShop(t)
	edit(t, r, "money/digits.go", "return n, nil", "return n + 1, nil")
	run(t, r)
	if s := read(t, r, parseFile); s.Status != spec.Invalidated || len(testgen.Changes(parseFile, s)) > 0 || s.Observed != (spec.Depends{}) || fmt.Sprint(wants(s)) != fmt.Sprint(wants(before)) {
		t.Errorf("the spec is %s, seen of %+v: %v", s.Status, s.Observed, testgen.Changes(parseFile, s))
	}
}

func TestAccepted(t *testing.T) {
	t.Parallel()
	r, before, _ := changedShop(t)
	s := read(t, r, parseFile)
	changes := testgen.Changes(parseFile, s)
	accept := func(id string) {
		if err := testgen.Accept(s, id); err != nil {
			t.Fatal(err)
		}
		r.Write(parseFile, string(s.Encode()))
		run(t, r)
		s = read(t, r, parseFile)
	}
	accept(changes[0].Case)
	if s.Status != spec.Invalidated || len(testgen.Changes(parseFile, s)) != 1 {
		t.Errorf("after one of two is accepted, the spec is %s, with changes %v", s.Status, testgen.Changes(parseFile, s))
	}
	accept(changes[1].Case)
	if s.Status != spec.Active || s.Fell != nil || s.DependsOn.Body == before.DependsOn.Body || testgen.Unverified(s) {
		t.Errorf("after all are accepted, the spec is %s of %+v, fell by %v; unverified: %v", s.Status, s.DependsOn, s.Fell, testgen.Unverified(s))
	}
	for i := range before.Cases {
		c, was := s.Case(before.Cases[i].ID), before.Cases[i]
		if c == nil || was.Law == spec.Error && (c.Law != spec.Golden || c.Want.String() != "{int: 0}") || was.Law != spec.Error && c.String() != was.String() {
			t.Errorf("case %s is %v now", was.String(), c)
		}
	}
	if _, code, _ := files(t, r); strings.Contains(code, skipped) {
		t.Errorf("the test is\n%s", code)
	}
	if err := testgen.Accept(s, changes[0].Case); err == nil || !strings.Contains(err.Error(), "no behaviour change to accept") {
		t.Errorf("accepted twice: %v", err)
	}
}

// TestPeopleEdit: what people wrote stays through whatever a run gives.
func TestPeopleEdit(t *testing.T) {
	t.Parallel()
	r := recordedShop(t)
	s := read(t, r, parseFile)
	const tricky = " Finance: \"1-\" must fail. #1: keep — don't\n- drop \\ it: {yes}  "
	mine := spec.Case{ID: "c-mine", Law: spec.Error, Why: "asked for", By: spec.Human, Args: []spec.Typed{{Type: "string", Value: "no"}}, Want: &spec.Want{Error: true}}
	s.Rationale, s.Cases[0].Why, s.Cases[1].Want = tricky, tricky, &spec.Want{Values: []spec.Typed{{Type: "int", Value: int64(999)}}}
	s.Cases = append(s.Cases, mine)
	r.Write(parseFile, string(s.Encode()))
	if !testgen.Unverified(s) {
		t.Error("a run has nothing to do after people changed cases")
	}
	held := func(when string, status spec.Status) {
		t.Helper()
		got := read(t, r, parseFile)
		if human := got.Case("c-mine"); got.Rationale != tricky || got.Cases[0].Why != tricky || got.Cases[1].Want.String() != "{int: 999}" || human == nil || human.String() != mine.String() {
			t.Errorf("%s, the spec is\n%s", when, got.Encode())
		}
		if got.Status != status {
			t.Errorf("%s, the spec is %s", when, got.Status)
		}
	}
	run(t, r)
	held("after an update", spec.Active)
	edit(t, r, "money/digits.go", body, "n, err := strconv.Atoi(s); return n, err")
	run(t, r)
	held("after an edit", spec.Invalidated)
	verified(t, r, parsed)
	held("after a run", spec.Invalidated)
	if changes := testgen.Changes(parseFile, read(t, r, parseFile)); len(changes) != 1 || changes[0].Was != "999" {
		t.Errorf("changes %+v", changes)
	}
	s = read(t, r, parseFile)
	s.Cases[1].Want = s.Cases[1].Became // a person writes down what it became
	r.Write(parseFile, string(s.Encode()))
	run(t, r)
	if s = read(t, r, parseFile); s.Status != spec.Active || len(testgen.Changes(parseFile, s)) > 0 {
		t.Errorf("the spec is %s, with changes %v", s.Status, testgen.Changes(parseFile, s))
	}
}

// TestPeopleEditWhatWaits: they may do so before anything was run.
func TestPeopleEditWhatWaits(t *testing.T) {
	t.Parallel()
	r := repository(t, shop)
	s := read(t, r, parseFile)
	mine := spec.Case{ID: "c-mine", Law: spec.Golden, Why: "asked for", By: spec.Human, Args: []spec.Typed{{Type: "string", Value: "8"}}}
	s.Rationale, s.Cases[0].Why = "Mine.", "mine, too"
	first := s.Cases[0].ID
	s.Cases = append(s.Cases, mine)
	r.Write(parseFile, string(s.Encode()))
	edit(t, r, "money/digits.go", body, "n, err := strconv.Atoi(s); return n, err")
	run(t, r)
	got := read(t, r, parseFile)
	if c := got.Case("c-mine"); got.Status != spec.Pending || got.Rationale != "Mine." || got.Case(first) == nil || got.Case(first).Why != "mine, too" || c == nil || c.String() != mine.String() {
		t.Errorf("the spec is\n%s", got.Encode())
	}
}

func TestTargetRemoved(t *testing.T) {
	t.Parallel()
	t.Run("nobody wrote", func(t *testing.T) {
		t.Parallel()
		r := recordedShop(t)
		r.Remove("money/money.go")
		report, _ := run(t, r)
		_, there := r.Read(parseFile)
		_, coded := r.Read(parseCode)
		if there || coded || len(report.Removed) != 2 {
			t.Errorf("the spec is there: %v; its test: %v; removed %v", there, coded, report.Removed)
		}
	})
	t.Run("somebody wrote", func(t *testing.T) {
		t.Parallel()
		r := recordedShop(t)
		s := read(t, r, parseFile)
		mine := spec.Case{ID: "c-mine", Law: spec.Error, Why: "asked for", By: spec.Human, Args: []spec.Typed{{Type: "string", Value: "no"}}, Want: &spec.Want{Error: true}}
		s.Cases = append(s.Cases, mine)
		r.Write(parseFile, string(s.Encode()))
		run(t, r)
		money := shop["money/money.go"]
		r.Write("money/money.go", "package money\n")
		run(t, r)
		s = read(t, r, parseFile)
		if _, coded := r.Read(parseCode); coded || s.Status != spec.Quarantined || s.Kept() != 0 || s.Case("c-mine").String() != mine.String() {
			t.Errorf("its test is there: %v; the spec is\n%s", coded, s.Encode())
		}
		r.Write("money/money.go", money)
		run(t, r)
		s = read(t, r, parseFile)
		if _, coded := r.Read(parseCode); !coded || s.Case("c-mine") == nil || s.Case("c-mine").String() != mine.String() {
			t.Errorf("after it came back, its test is there: %v; the spec is\n%s", coded, s.Encode())
		}
	})
}

// TestHumanText: each text of a person keeps the spec of a function that was renamed, and the spec says how to move it. Moved, it is the
// spec of the new function.
func TestHumanText(t *testing.T) {
	t.Parallel()
	const mine = "Finance reads it."
	for name, wrote := range map[string]func(s *spec.Spec){
		"a rationale":                func(s *spec.Spec) { s.Rationale = mine },
		"a rationale that is longer": func(s *spec.Spec) { s.Rationale += " " + mine },
		"a reason":                   func(s *spec.Spec) { s.Cases[1].Why = mine },
		"a result":                   func(s *spec.Spec) { s.Cases[0].Want = &spec.Want{Error: true} },
		"a case":                     func(s *spec.Spec) { s.Cases[0].By = spec.Human },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := recordedShop(t)
			s := read(t, r, parseFile)
			wrote(s)
			r.Write(parseFile, string(s.Encode()))
			edit(t, r, "money/money.go", "func Parse(", "func Read(")
			edit(t, r, "money/money.go", "// Parse", "// Read")
			edit(t, r, "cart/cart.go", "a, err := money.Parse(", "a, err := money.Read(")
			edit(t, r, "cart/cart.go", "b, err := money.Parse(", "b, err := money.Read(")
			run(t, r)
			_, coded := r.Read(parseCode)
			got := read(t, r, parseFile)
			if coded || got.Status != spec.Quarantined || got.Fell == nil || fmt.Sprint(got.Texts(), wants(got)) != fmt.Sprint(s.Texts(), wants(s)) {
				t.Fatalf("its test is there: %v; the spec is\n%s", coded, got.Encode())
			}
			const readFile = ".causal/specs/money/Read.yml"
			if !strings.HasPrefix(got.Fell.Because, "money.Parse is gone, ") || !strings.Contains(got.Fell.Because, "move this file over the spec of that") {
				t.Errorf("it fell because %s", got.Fell.Because)
			}
			text, _ := r.Read(parseFile)
			run(t, r)
			if again, _ := r.Read(parseFile); again != text {
				t.Errorf("again, it is\n%s\nand was\n%s", again, text)
			}
			got.Target.Symbol = "Read"
			r.Remove(parseFile)
			r.Write(readFile, string(got.Encode()))
			run(t, r)
			moved := read(t, r, readFile)
			if moved.Status != spec.Invalidated || fmt.Sprint(moved.Texts(), wants(moved)) != fmt.Sprint(s.Texts(), wants(s)) {
				t.Errorf("moved, the spec is\n%s", moved.Encode())
			}
		})
	}
}

// TestNotGeneratableAnyMore: a spec whose function reaches what no test can rely on is kept, without code.
func TestNotGeneratableAnyMore(t *testing.T) {
	t.Parallel()
	r := recordedShop(t)
	_, code, but := files(t, r)
	edit(t, r, "money/digits.go", "import \"strconv\"\n\nfunc digits(s string) (int, error) { "+body, "import (\"strconv\"; \"time\")\n\nfunc digits(s string) (int, error) { _ = time.Now(); "+body)
	run(t, r)
	if _, coded := r.Read(parseCode); coded || read(t, r, parseFile).Status != spec.Quarantined {
		t.Errorf("its test is there: %v; the spec is %s", coded, read(t, r, parseFile).Status)
	}
	r.Write("money/digits.go", shop["money/digits.go"])
	run(t, r)
	if _, again, text := files(t, r); again != code || text != but {
		t.Errorf("after that, the test is\n%s\nand the spec\n%s\nwas\n%s", again, text, but)
	}
}

// TestExactlyThoseFall: an edit of a function falls on the specs of those that reach it, in whatever module, and on no others.
func TestExactlyThoseFall(t *testing.T) {
	t.Parallel()
	sources := map[string]string{
		"go.mod":     "module x\n\ngo 1.22\n",
		"a/a.go":     "package a\n\nfunc One(n int) int { return inner(n) }\n\nfunc Two(n int) int { return 2 * n }\n\nfunc inner(n int) int { return n }\n",
		"b/b.go":     "package b\n\nimport \"x/a\"\n\nfunc Direct(n int) int { return a.One(n) }\n\nfunc Other(n int) int { return a.Two(n) }\n",
		"c/c.go":     "package c\n\nimport \"x/b\"\n\nfunc Far(n int) int { return b.Direct(n) }\n\nfunc Near(n int) int { return n }\n",
		"d/d.go":     "package d\n\nfunc Alone(n int) int { return n }\n",
		"e/go.mod":   "module y\n\ngo 1.22\n",
		"e/own/e.go": "package own\n\nfunc Own(n int) int { return n }\n",
	}
	for name, test := range map[string]struct {
		file, from, to string
		ran            string
	}{
		"what many reach":         {"a/a.go", "int { return n }", "int { n++; return n - 1 }", "[spec/a/One spec/b/Direct spec/c/Far]"},
		"what one reaches":        {"a/a.go", "return 2 * n", "return n * 2", "[spec/a/Two spec/b/Other]"},
		"in the middle":           {"b/b.go", "return a.One(n)", "return a.One(n + 0)", "[spec/b/Direct spec/c/Far]"},
		"at the end":              {"c/c.go", "int { return n }", "int { return n + 0 }", "[spec/c/Near]"},
		"a signature":             {"a/a.go", "Two(n int) int", "Two(n int8) int8", "[spec/a/Two spec/b/Other]"},
		"the name of its module":  {"e/go.mod", "module y", "module z", "[spec/e/own/Own]"},
		"a version of Go":         {"e/go.mod", "go 1.22", "go 1.21", "[spec/e/own/Own]"},
		"a comment in a manifest": {"e/go.mod", "module y", "// The other one.\nmodule y", "[]"},
		"a comment":               {"a/a.go", "package a", "// Package a counts.\npackage a", "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := repository(t, sources)
			edit(t, r, test.file, test.from, test.to)
			report, _ := run(t, r)
			if got := fmt.Sprint(report.Ran); got != test.ran {
				t.Errorf("ran %s, want %s", got, test.ran)
			}
		})
	}
}

// TestConditions: what makes a spec wrong is said in words that anybody can evaluate.
func TestConditions(t *testing.T) {
	t.Parallel()
	many := "package many\n\n"
	calls := "0"
	for i := range 20 {
		many += fmt.Sprintf("func F%02d(n int) int { return n + %d }\n\n", i, i)
		calls += fmt.Sprintf(" + many.F%02d(n)", i)
	}
	r := repository(t, map[string]string{
		"go.mod": "module x\n\ngo 1.22\n", "root.go": "package x\n\nfunc Root(n int) int { return n }\n\ntype T int\n\nfunc (t T) Next(n int) int { return int(t) + n }\n",
		"many/many.go": many, "all/all.go": "package all\n\nimport \"x/many\"\n\nfunc All(n int) int { return " + calls + " }\n",
	})
	for file, want := range map[string]string{
		".causal/specs/_root/Root.yml":   `symbol_changed(".", "Root") or body_changed(".", "Root")`,
		".causal/specs/_root/T.Next.yml": `symbol_changed(".", "T.Next") or body_changed(".", "T.Next")`,
		".causal/specs/many/F00.yml":     `symbol_changed("many", "F00") or body_changed("many", "F00")`,
		".causal/specs/all/All.yml":      `symbol_changed("all", "All") or body_changed("all", "All") or body_changed("many", "F00") or body_changed("many", "F01")`,
		".causal/specs/many/F19.yml":     `symbol_changed("many", "F19") or body_changed("many", "F19")`,
	} {
		if got := read(t, r, file).Condition; !strings.HasPrefix(got, want) || strings.Count(got, " or ") > 13 {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	edit(t, r, "many/many.go", "n + 19", "19 + n") // beyond the terms that are told
	report, _ := run(t, r)
	if got := fmt.Sprint(report.Ran); got != "[spec/all/All spec/many/F19]" {
		t.Errorf("ran %s", got)
	}
}

// TestInTheWay: a file that nobody generated is told, and left.
func TestInTheWay(t *testing.T) {
	t.Parallel()
	r := recordedShop(t)
	const mine = "package money_test\n\n// Mine.\n"
	r.Write(parseCode, mine)
	report, _ := run(t, r)
	if len(report.Blocked) != 1 || !strings.Contains(report.Blocked[0].Because, parseCode+" was not generated by causal") || report.Blocked[0].Mend == "" {
		t.Errorf("blocked %+v", report.Blocked)
	}
	if got, _ := r.Read(parseCode); got != mine {
		t.Errorf("%s holds\n%s", parseCode, got)
	}
}

// TestBrokenSpec: a spec that cannot be read ends the run before anything is written.
func TestBrokenSpec(t *testing.T) {
	t.Parallel()
	r := recordedShop(t)
	edit(t, r, "money/digits.go", body, "n, err := strconv.Atoi(s); return n, err")
	r.Write(cleanFile, "schema: mine\n")
	before := r.All()
	own := r.Files()
	c, err := r.Open(own)
	if err != nil {
		t.Fatal(err)
	}
	planned(r, own, &c)
	_, err = engine.New(c).Update(t.Context())
	var bad *spec.FileError
	if !errors.As(err, &bad) || bad.File != cleanFile || bad.Line != 1 {
		t.Errorf("got %v", err)
	}
	if !maps.Equal(r.All(), before) {
		t.Error("something was written")
	}
}
