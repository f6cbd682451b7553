package condition

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// table answers from maps keyed by a term's canonical spelling.
type table struct {
	facts   map[string]bool
	numbers map[string]float64
}

func (f table) Answer(q Question) Answer {
	call := q.Word + "("
	for i, arg := range q.Args {
		if i > 0 {
			call += ", "
		}
		call += strconv.Quote(arg)
	}
	call += ")"
	return Answer{f.facts[call], f.numbers[call], Cause{Detail: call}}
}

// constant gives every word the same answer.
type constant bool

func (c constant) Answer(Question) Answer { return Answer{Holds: bool(c)} }

func TestEvaluate(t *testing.T) {
	t.Parallel()
	facts := table{
		facts:   map[string]bool{`resolved("a")`: true, `resolved("b")`: true, `generator_changed()`: true},
		numbers: map[string]float64{`dismissed_share("p")`: 0.25, `unseen_days("p")`: 10},
	}
	tests := []struct {
		in   string
		want []string // expressions that made it true; nil: does not hold
	}{
		{`resolved("a")`, []string{`resolved("a")`}},
		{`resolved("x")`, nil},
		{`resolved("a") or resolved("x") or resolved("b")`, []string{`resolved("a")`, `resolved("b")`}},
		{`resolved("a") and resolved("b")`, []string{`resolved("a")`, `resolved("b")`}},
		{`resolved("a") and resolved("x")`, nil},
		{`resolved("a") and resolved("x") or generator_changed()`, []string{`generator_changed()`}},
		{`resolved("a") and (resolved("x") or resolved("b"))`, []string{`resolved("a")`, `resolved("b")`}},
		{`not resolved("x")`, []string{`not resolved("x")`}},
		{`not resolved("a")`, nil},
		{`not not resolved("a")`, []string{`resolved("a")`}},
		{`not (resolved("x") or resolved("y"))`, []string{`not resolved("x")`, `not resolved("y")`}},
		{`not (resolved("a") and resolved("x") and resolved("y"))`, []string{`not resolved("x")`, `not resolved("y")`}},
		{`not (resolved("a") and resolved("b"))`, nil},
		{`not (not resolved("a") or resolved("x"))`, []string{`resolved("a")`, `not resolved("x")`}},
		{`dismissed_share("p") > 0.25`, nil},
		{`dismissed_share("p") >= 0.25`, []string{`dismissed_share("p") >= 0.25`}},
		{`dismissed_share("p") < 0.3 and unseen_days("p") <= 10`, []string{`dismissed_share("p") < 0.3`, `unseen_days("p") <= 10`}},
		{`unseen_days("p") == 10 or unseen_days("p") != 10`, []string{`unseen_days("p") == 10`}},
		{`not (unseen_days("p") > 180)`, []string{`not (unseen_days("p") > 180)`}},
	}
	for _, tt := range tests {
		c, err := Parse(tt.in)
		if err != nil {
			t.Fatal(err)
		}
		result := c.Evaluate(facts)
		var got []string
		for _, term := range result.Because {
			got = append(got, term.Expression)
			if term.Cause.Detail == "" {
				t.Errorf("%s: %s has no cause", tt.in, term.Expression)
			}
		}
		if result.Holds != (tt.want != nil) || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v because %q, want %q", tt.in, result.Holds, got, tt.want)
		}
	}
	if got := (Condition{}).Evaluate(facts); got.Holds || got.Because != nil {
		t.Errorf("the zero Condition gives %v", got)
	}
}

// formula is a condition as a test builds it: text and meaning side by side, without the code under test.
type formula struct {
	text string
	eval func(table) bool
}

var ops = []string{"<", "<=", ">", ">=", "==", "!="}

func leaf(t *rapid.T) formula {
	name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
	if rapid.Bool().Draw(t, "numeric") {
		key := fmt.Sprintf("unseen_days(%q)", name)
		op := rapid.SampledFrom(ops).Draw(t, "op")
		limit := rapid.IntRange(0, 3).Draw(t, "limit")
		return formula{fmt.Sprintf("(%s %s %d)", key, op, limit), func(f table) bool {
			v := int(f.numbers[key])
			return map[string]bool{"<": v < limit, "<=": v <= limit, ">": v > limit, ">=": v >= limit,
				"==": v == limit, "!=": v != limit}[op]
		}}
	}
	key := fmt.Sprintf("resolved(%q)", name)
	return formula{key, func(f table) bool { return f.facts[key] }}
}

func compound(t *rapid.T, depth int) formula {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	if depth == 0 || kind == 0 {
		return leaf(t)
	}
	left := compound(t, depth-1)
	if kind == 1 {
		return formula{"not (" + left.text + ")", func(f table) bool { return !left.eval(f) }}
	}
	right := compound(t, depth-1)
	if kind == 2 {
		return formula{"(" + left.text + ") and (" + right.text + ")",
			func(f table) bool { return left.eval(f) && right.eval(f) }}
	}
	return formula{"(" + left.text + ") or (" + right.text + ")",
		func(f table) bool { return left.eval(f) || right.eval(f) }}
}

func TestEvaluateAgainstNaive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		formula := compound(t, 5)
		facts := table{map[string]bool{}, map[string]float64{}}
		for _, name := range []string{"a", "b", "c"} {
			facts.facts[fmt.Sprintf("resolved(%q)", name)] = rapid.Bool().Draw(t, "fact")
			facts.numbers[fmt.Sprintf("unseen_days(%q)", name)] = float64(rapid.IntRange(0, 3).Draw(t, "number"))
		}
		c, err := Parse(formula.text)
		if err != nil {
			t.Fatalf("%s: %v", formula.text, err)
		}
		canonical, err := Parse(c.String())
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		want := formula.eval(facts)
		for _, c := range []Condition{c, canonical} {
			got := c.Evaluate(facts)
			if got.Holds != want {
				t.Fatalf("%s = %v, want %v", c, got.Holds, want)
			}
			if got.Holds == (len(got.Because) == 0) {
				t.Fatalf("%s = %v because %v", c, got.Holds, got.Because)
			}
			checkTermsHold(t, got.Because, facts)
		}
	})
}

// checkTermsHold: each term that is given as a reason is itself a condition that holds.
func checkTermsHold(t *rapid.T, because []Term, facts table) {
	for _, term := range because {
		c, err := Parse(term.Expression)
		if err != nil {
			t.Fatal(err)
		}
		if !c.Evaluate(facts).Holds {
			t.Fatalf("%s is given as a reason but does not hold", term.Expression)
		}
	}
}

func TestAny(t *testing.T) {
	t.Parallel()
	glob, err := ParseGlob("b/*.go")
	if err != nil {
		t.Fatal(err)
	}
	file, err := PathGlob("pages/[id].tsx")
	if err != nil {
		t.Fatal(err)
	}
	both, err := Parse(`resolved("x") and not resolved("y")`)
	if err != nil {
		t.Fatal(err)
	}
	terms := []Condition{
		both, InterfaceChanged("db"), SymbolChanged("m", "B"), Modified(glob), GeneratorChanged(), Resolved("f"),
		ConclusionChanged("c"), Any(SymbolChanged("m", "A"), Modified(file)), Modified(glob), {},
	}
	want := strings.Join([]string{
		`modified("b/*.go")`, `modified("pages/\\[id].tsx")`, `symbol_changed("m", "A")`, `symbol_changed("m", "B")`,
		`interface_changed("db")`, `conclusion_changed("c")`, `resolved("f")`, `generator_changed()`,
		`resolved("x") and not resolved("y")`,
	}, " or ")
	rapid.Check(t, func(t *rapid.T) {
		shuffled := rapid.Permutation(terms).Draw(t, "order")
		if got := Any(shuffled...).String(); got != want {
			t.Fatalf("Any = %s\nwant  %s", got, want)
		}
	})
	if got := Any(); !got.IsZero() || got.String() != "" {
		t.Errorf("Any() = %q", got)
	}
	if got := Any(Resolved("f"), Resolved("f")); !got.Equal(Resolved("f")) {
		t.Errorf("Any of one term twice = %q", got)
	}
}

func TestBuildersParse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s") + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		c := Any(Modified(Glob{}), SymbolChanged(s, s), InterfaceChanged(s), ConclusionChanged(s), Resolved(s))
		got, err := Parse(c.String())
		if err != nil || !got.Equal(c) {
			t.Fatalf("%s reads back as %s, %v", c, got, err)
		}
	})
}
