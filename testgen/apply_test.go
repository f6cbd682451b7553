package testgen_test

import (
	"slices"
	"testing"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

func text(s string) []spec.Typed { return []spec.Typed{{Type: "string", Value: s}} }

func number(n int64) *spec.Want { return &spec.Want{Values: []spec.Typed{{Type: "int", Value: n}}} }

var refused = &spec.Want{Error: true}

// TestApply: what becomes of one case by what a run gave of it.
func TestApply(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before spec.Case
		result *testgen.Result // nil when it was not run
		after  spec.Case
		waits  bool // for a person
	}{
		"a value that it waits for":        {spec.Case{Law: spec.Golden}, &testgen.Result{Want: number(1)}, spec.Case{Law: spec.Golden, Want: number(1)}, false},
		"an error that it waits for":       {spec.Case{Law: spec.Golden}, &testgen.Result{Want: refused}, spec.Case{Law: spec.Error, Want: refused}, false},
		"the same value":                   {spec.Case{Law: spec.Golden, Want: number(1)}, &testgen.Result{Want: number(1)}, spec.Case{Law: spec.Golden, Want: number(1)}, false},
		"another value":                    {spec.Case{Law: spec.Golden, Want: number(1)}, &testgen.Result{Want: number(2)}, spec.Case{Law: spec.Golden, Want: number(1), Became: number(2)}, true},
		"no error any more":                {spec.Case{Law: spec.Error, Want: refused}, &testgen.Result{Want: number(2)}, spec.Case{Law: spec.Error, Want: refused, Became: number(2)}, true},
		"the same again":                   {spec.Case{Law: spec.Golden, Want: number(1), Became: number(2)}, &testgen.Result{Want: number(1)}, spec.Case{Law: spec.Golden, Want: number(1)}, false},
		"nothing where it waited":          {spec.Case{Law: spec.Golden}, &testgen.Result{Failed: "it panics"}, spec.Case{Law: spec.Golden, Quarantined: "it panics"}, false},
		"nothing where there was a value":  {spec.Case{Law: spec.Golden, Want: number(1)}, &testgen.Result{Failed: "it panics"}, spec.Case{Law: spec.Golden, Want: number(1), Became: spec.Failure("it panics")}, true},
		"nothing where a person waits":     {spec.Case{Law: spec.Golden, By: spec.Human}, &testgen.Result{Failed: "it panics"}, spec.Case{Law: spec.Golden, By: spec.Human, Became: spec.Failure("it panics")}, true},
		"a law that holds":                 {spec.Case{Law: spec.NoPanic}, &testgen.Result{}, spec.Case{Law: spec.NoPanic}, false},
		"a law that does not hold":         {spec.Case{Law: spec.NoPanic}, &testgen.Result{Failed: "it panics"}, spec.Case{Law: spec.NoPanic, Became: spec.Failure("it panics")}, true},
		"a case that is kept out":          {spec.Case{Law: spec.Golden, Quarantined: "flaky"}, &testgen.Result{Want: number(1)}, spec.Case{Law: spec.Golden, Quarantined: "flaky"}, false},
		"a case that was not run":          {spec.Case{Law: spec.Golden, Want: number(1)}, nil, spec.Case{Law: spec.Golden, Want: number(1)}, false},
		"a case that was not run and fell": {spec.Case{Law: spec.Golden, Want: number(1), Became: number(2)}, nil, spec.Case{Law: spec.Golden, Want: number(1)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range []*spec.Case{&test.before, &test.after} {
				c.ID, c.Why, c.Args = "c-1", "why", text("a")
			}
			was, now := spec.Depends{Interface: "i", Body: "was"}, spec.Depends{Interface: "i", Body: "now"}
			s := &spec.Spec{Cases: []spec.Case{test.before}, DependsOn: was, Fell: &spec.Fell{}}
			recorded := &testgen.Recorded{Now: now, Runs: 3}
			if test.result != nil {
				recorded.Results = map[string]testgen.Result{"c-1": *test.result}
			}
			testgen.Apply(s, recorded)
			if got := s.Cases[0].String(); got != test.after.String() {
				t.Errorf("it is\n%s\nwant\n%s", got, test.after.String())
			}
			if waits := s.Observed == now && s.DependsOn == was; waits != test.waits || !waits && s.DependsOn != now {
				t.Errorf("recorded of %+v, seen of %+v", s.DependsOn, s.Observed)
			}
			if (s.Fell != nil) != test.waits || s.Evidence.Runs != 3 {
				t.Errorf("fell by %v, %d runs", s.Fell, s.Evidence.Runs)
			}
		})
	}
}

// TestChosen: cases that are chosen take the place of those that nobody wrote, and what people said stays.
func TestChosen(t *testing.T) {
	t.Parallel()
	mine := spec.Case{ID: "c-mine", Law: spec.Golden, Why: "asked for", By: spec.Human, Args: text("8"), Want: number(8)}
	s := &spec.Spec{Provenance: spec.Provenance{Wrote: []string{}}, Cases: []spec.Case{
		{ID: "c-1", Law: spec.Golden, Why: "mine, too", Args: text("a")}, {ID: "c-2", Law: spec.Golden, Args: text("b")}, mine,
		{ID: "c-3", Law: spec.Golden, Why: "mine as well", Args: text("e"), Want: number(5)},
		{ID: "c-own", Law: spec.Golden, Why: "asked for", By: spec.Human, Args: text("c"), Want: number(3)},
	}}
	chosen := []spec.Case{
		{ID: "c-1", Law: spec.Golden, Why: "found", Args: text("a"), Want: number(1)}, {ID: "c-4", Law: spec.Golden, Why: "found", Args: text("d"), Want: number(4)},
		{ID: "c-own", Law: spec.Golden, Why: "found", Args: text("c"), Want: number(4)},
	}
	results := map[string]testgen.Result{"c-mine": {Want: number(8)}, "c-own": {Want: number(4)}}
	testgen.Apply(s, &testgen.Recorded{Results: results, Chosen: &testgen.Chosen{Cases: chosen, Seeds: []string{"doc"}, Coverage: 5}})
	got := ""
	for i := range s.Cases {
		got += s.Cases[i].String() + "\n"
	}
	want := `{id: c-1, law: golden, why: "mine, too", args: [{string: "a"}], want: {int: 1}}
{id: c-4, law: golden, why: "found", args: [{string: "d"}], want: {int: 4}}
{id: c-own, law: golden, why: "asked for", by: human, args: [{string: "c"}], want: {int: 3}, became: {int: 4}}
{id: c-mine, law: golden, why: "asked for", by: human, args: [{string: "8"}], want: {int: 8}}
{id: c-3, law: golden, why: "mine as well", args: [{string: "e"}], want: {int: 5}, quarantined: "other cases were chosen; it is kept because a person wrote why it is there"}
`
	if got != want || s.Provenance.Seeds[0] != "doc" || s.Evidence.Coverage != 5 {
		t.Errorf("the cases are\n%s\nwant\n%s", got, want)
	}
}

// TestNothingChosen: a spec of which no call can be a test keeps its cases, each with the reason.
func TestNothingChosen(t *testing.T) {
	t.Parallel()
	s := &spec.Spec{Cases: []spec.Case{
		{ID: "c-1", Law: spec.Golden, Args: text("a")}, {ID: "c-2", Law: spec.Golden, Args: text("b")}, {ID: "c-3", Law: spec.Golden, By: spec.Human, Args: text("c"), Want: number(3)},
	}}
	results := map[string]testgen.Result{"c-1": {Failed: "it fails"}, "c-3": {Want: number(3)}}
	testgen.Apply(s, &testgen.Recorded{Results: results, Chosen: &testgen.Chosen{}})
	for i, want := range []string{"it fails", "no call of it gave a result that a test can hold", ""} {
		if i >= len(s.Cases) || s.Cases[i].Quarantined != want || s.Cases[i].Became != nil {
			t.Errorf("case %d of %v, want it kept out because of %q", i, s.Cases, want)
		}
	}
}

// TestProblem: where nothing of a spec can be code, each case says why, and the one of a person stays.
func TestProblem(t *testing.T) {
	t.Parallel()
	s := &spec.Spec{Cases: []spec.Case{
		{ID: "c-1", Law: spec.Golden, Args: text("a")}, {ID: "c-2", Law: spec.Golden, Args: text("b"), Quarantined: "flaky"}, {ID: "c-3", Law: spec.Golden, By: spec.Human, Args: text("c")},
	}}
	testgen.Apply(s, &testgen.Recorded{Problem: "it does not build", Chosen: &testgen.Chosen{Cases: slices.Clone(s.Cases[:2])}})
	if became := s.Cases[2].Became.Text(); became != "it does not build" {
		t.Errorf("the case of a person became %q", became)
	}
	for i, want := range []string{"it does not build", "flaky", ""} {
		if got := s.Cases[i].Quarantined; got != want {
			t.Errorf("case %d is kept out because of %q, want %q", i, got, want)
		}
	}
}

func TestAcceptFailure(t *testing.T) {
	t.Parallel()
	s := &spec.Spec{Target: spec.Target{Symbol: "Parse"}, Status: spec.Active, Cases: []spec.Case{{ID: "c-1", Law: spec.Golden, Args: text("a"), Want: number(1), Became: spec.Failure("it panics")}}}
	if err := testgen.Accept(s, "c-1"); err != nil {
		t.Fatal(err)
	}
	if c := s.Cases[0]; c.Quarantined != "it panics" || c.Became != nil || c.Coded() || testgen.Unverified(s) {
		t.Errorf("the case is %s; a run would tell more: %v", c.String(), testgen.Unverified(s))
	}
	for _, id := range []string{"c-1", "c-2", ""} {
		if err := testgen.Accept(s, id); err == nil {
			t.Errorf("%q is accepted, though nothing changed", id)
		}
	}
}

// TestAcceptDocumented: what an example shows is not cited for the result that was accepted in its place.
func TestAcceptDocumented(t *testing.T) {
	t.Parallel()
	s := &spec.Spec{Cases: []spec.Case{{ID: "c-1", Law: spec.Example, Why: "an example of the documentation shows it", Args: text("a"), Want: number(1), Became: number(2)}}}
	s.Sign(s.Texts()...)
	if err := testgen.Accept(s, "c-1"); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Cases[0].String(), `{id: c-1, law: golden, why: "accepted; the documentation says 1", args: [{string: "a"}], want: {int: 2}}`; got != want || s.Human() {
		t.Errorf("it is\n%s\nwant\n%s\nby a person: %v", got, want, s.Human())
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	told := "7.00"
	s := &spec.Spec{Target: spec.Target{Symbol: "Amount.Add"}, Cases: []spec.Case{
		{ID: "c-1", Law: spec.Golden, Args: []spec.Typed{{Type: "Amount", Value: int64(1)}, {Type: "string", Value: "1-"}}, Want: refused, Became: number(1)},
		{ID: "c-2", Law: spec.Golden, Args: text("b"), Want: number(2)},
		{ID: "c-3", Law: spec.Golden, Args: text("c"), Want: &spec.Want{StringOf: &told}, Became: &spec.Want{Values: []spec.Typed{{Type: "int", Value: int64(1)}, {Type: "[]string", Value: []spec.Value{"a"}}}}},
		{ID: "c-4", Law: spec.Order, Over: []string{"c-1", "c-2"}, Became: spec.Failure("it panics")},
	}}
	want := []testgen.Change{
		{Spec: "f", Case: "c-1", Call: `Amount.Add(1, "1-")`, Was: "error", Is: "1"}, {Spec: "f", Case: "c-3", Call: `Amount.Add("c")`, Was: "7.00", Is: `1, ["a"]`},
		{Spec: "f", Case: "c-4", Call: "Amount.Add(order over c-1 c-2)", Was: "holds", Is: "it panics"},
	}
	got := testgen.Changes("f", s)
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %+v, want %+v", got[i], want[i])
		}
	}
}
