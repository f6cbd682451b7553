package typescript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// gave is what three runs of a call gave, all the same.
func gave(arg, json string, more func(run int, o *Outcome)) *testgen.Call {
	t := &testgen.Call{Candidate: testgen.Candidate{Args: []spec.Typed{{Type: "string", Value: arg}}, From: testgen.FromLiteral}}
	for run := range 3 {
		o := &Outcome{Value: []byte(json), RunInfo: testgen.RunInfo{Made: true}}
		if more != nil {
			more(run, o)
		}
		t.Runs = append(t.Runs, o)
	}
	return t
}

// planWith is the target of a function that may have some laws.
func planWith(laws ...testgen.Law) *testgen.Target {
	return &testgen.Target{Plan: &Plan{}, Laws: laws, Taste: taste, Within: "directory"}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	fails := func(said string) func(int, *Outcome) {
		return func(_ int, o *Outcome) { o.Value, o.Failed, o.Said = nil, true, said }
	}
	holds := func(law bool) func(int, *Outcome) { return func(_ int, o *Outcome) { o.Laws = []bool{law} } }
	tests := []struct {
		name  string
		laws  []testgen.Law
		tried []*testgen.Call
		want  string
	}{
		{"one of each kind", nil, []*testgen.Call{gave("a", `"b"`, nil), gave("b", `"b"`, nil), gave("c", `null`, nil), gave("d", "", fails("Error: no"))}, `golden a {string: "b"}; golden c {"null": null}; error d {error: true}`},
		{"accidents are no refusals", nil, []*testgen.Call{gave("a", "", fails("TypeError: Cannot read properties of undefined (reading 'x')")), gave("b", `1`, nil)}, `golden b {number: 1}`},
		{"unstable", nil, []*testgen.Call{gave("a", `1`, func(run int, o *Outcome) { o.Value = fmt.Append(nil, run) }), gave("b", `1`, nil)}, `golden a  (it gives another result in another run)`},
		{"ended", nil, []*testgen.Call{gave("a", `1`, func(_ int, o *Outcome) { o.Ended = "it took longer than 10 seconds" })}, `golden a  (it took longer than 10 seconds)`},
		{"slow", nil, []*testgen.Call{gave("a", `1`, func(_ int, o *Outcome) { o.Micros = 2 * time.Second.Microseconds() })}, `golden a  (it takes more than a second)`},
		{"what cannot be told", nil, []*testgen.Call{gave("a", `1`, func(_ int, o *Outcome) { o.Odd = "the result holds a function" })}, `golden a  (the result holds a function)`},
		{"an undocumented promise", nil, []*testgen.Call{gave("a", `1`, func(_ int, o *Outcome) { o.Late = true })}, `golden a  (nothing says whether it gives a promise)`},
		{
			"a law that holds", []testgen.Law{{Law: spec.Idempotent}},
			[]*testgen.Call{gave("a", `"a"`, holds(true)), gave("b", `["b"]`, holds(true))}, `golden a {string: "a"}; golden b {array: ["b"]}; idempotent over 2`,
		},
		{"a law that does not", []testgen.Law{{Law: spec.Idempotent}}, []*testgen.Call{gave("a", `"a"`, holds(true)), gave("b", `["b"]`, holds(false))}, `golden a {string: "a"}; golden b {array: ["b"]}`},
		{"text that is refused", []testgen.Law{{Law: spec.NoPanic}}, []*testgen.Call{gave("a", `"a"`, holds(true)), gave("b", "", fails("Error: no"))}, `golden a {string: "a"}; error b {error: true}`},
		{
			"documentation that is wrong", nil,
			[]*testgen.Call{{Candidate: testgen.Candidate{Args: []spec.Typed{{Type: "string", Value: "a"}}, From: testgen.FromDoc, Want: wantOf("x")}, Runs: gave("a", `"y"`, nil).Runs}},
			`example a {string: "x"} (the documentation shows x, and it gives y)`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range planWith(tt.laws...).Choose(tt.tried, true).Cases {
				text := fmt.Sprintf("%s over %d", c.Law, len(c.Over))
				if len(c.Over) == 0 {
					text = fmt.Sprintf("%s %v %s", c.Law, c.Args[0].Value, c.Want)
				}
				if c.Quarantined != "" {
					text += " (" + c.Quarantined + ")"
				}
				got = append(got, text)
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("got %s\nwant %s", strings.Join(got, "; "), tt.want)
			}
		})
	}
}

func TestMostTellingIsTakenFirst(t *testing.T) {
	t.Parallel()
	var tried []*testgen.Call
	for i := range 40 {
		tried = append(tried, gave(fmt.Sprint(i), `1`, func(_ int, o *Outcome) { o.Blocks = []string{fmt.Sprint("block ", i/10)} }))
	}
	chosen := planWith().Choose(tried, true)
	if len(chosen.Cases) != 4 || chosen.Coverage != 4 {
		t.Errorf("%d cases reach %d blocks, want one for each of 4", len(chosen.Cases), chosen.Coverage)
	}
}

func TestWantOfWhatWasRecorded(t *testing.T) {
	t.Parallel()
	for json, want := range map[string]string{
		`{"$number":"-0"}`: "{number: -0.0}", `{"$number":"NaN"}`: "{number: .nan}", `1e400`: "", `12`: "{number: 12}", `1.5`: "{number: 1.5}",
		`{"$bigint":"7"}`: `{bigint: {"$bigint": "7"}}`, `{"a":{"$undefined":true}}`: `{object: {a: {"$undefined": true}}}`, `{"$evil":1}`: "",
		`{"$map":[[1,"a"]]}`: `{Map: {"$map": [[1, "a"]]}}`, `[`: "",
	} {
		w, reason := (&Plan{}).Want(&Outcome{Value: []byte(json)})
		if w.String() != want || (want == "") != (reason != "") {
			t.Errorf("%s: %s, %q, want %s", json, w, reason, want)
		}
	}
}
