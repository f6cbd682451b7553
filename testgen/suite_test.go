package testgen_test

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
	"github.com/causaldocs/causal/testgen/spec"
)

// shop are two packages of which one uses the other, and one of which no tests can be made.
var shop = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.22\n",
	"money/money.go": `package money

// Parse reads an amount such as "7" or "12". Others, such as "x", are errors.
func Parse(s string) (int, error) {
	n, err := digits(s)
	return Scale * n, err
}

const Scale = 100
`,
	"money/digits.go": `package money

import "strconv"

func digits(s string) (int, error) { return strconv.Atoi(s) }
`,
	"money/clean.go": `package money

import "strings"

// Clean lower-cases a name.
func Clean(name string) string { return strings.ToLower(name) }
`,
	"cart/cart.go": `package cart

import "example.com/shop/money"

// Total sums two prices.
func Total(one, two string) (int, error) {
	a, err := money.Parse(one)
	if err != nil {
		return 0, err
	}
	b, err := money.Parse(two)
	return a + b, err
}
`,
	"clock/clock.go": `package clock

import "time"

func Stamp() string { return time.Now().String() }
`,
}

// everything is wanted.
type everything struct{}

func (everything) Has(string, string) bool { return true }
func (everything) None() bool              { return false }
func (everything) String() string          { return "" }

// remembered keeps what Plans finds out with what the engine remembers.
type remembered struct{ *engine.Config }

func (r remembered) Get(key string, into any) bool   { return r.Index.Get("testable", key, into) }
func (r remembered) Put(key string, value any) error { return r.Batch.Put("testable", key, value) }

var golangOnly = []*testgen.Language{golang.Language}

// over is the plugin over a made-up repository.
func over(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) { planned(r, own, c) }

func planned(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) *testgen.Plans {
	look := survey.New(survey.Config{
		Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: languages.All(), Owned: r.Layout.Owns,
		Excluded: func(string) bool { return false }, MaxBytes: 1 << 20,
	})
	plans := testgen.NewPlans(look, golangOnly, remembered{&engine.Config{Index: c.Index, Batch: c.Batch}}, own, everything{})
	c.World, c.Words, c.Rooms = look, survey.Words, []engine.Room{plans}
	c.Plugins = []engine.Plugin{testgen.New(own, golangOnly)}
	return plans
}

// restless is a world that is always looked at, so that its plans can be asked after a run with nothing to do.
type restless struct{ engine.World }

func (restless) Unchanged(context.Context) (bool, error) { return false, nil }

// run brings a repository up to date.
func run(t testing.TB, r *enginetest.Repository) (*engine.Report, *testgen.Plans) {
	t.Helper()
	own := r.Files()
	c, err := r.Open(own)
	if err != nil {
		t.Fatal(err)
	}
	plans := planned(r, own, &c)
	c.World = restless{c.World}
	report, err := engine.New(c).Update(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report, plans
}

// repository is one that was brought up to date once.
func repository(t testing.TB, files map[string]string) *enginetest.Repository {
	t.Helper()
	r := enginetest.NewRepository(t.TempDir(), files)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	run(t, r)
	return r
}

const (
	parseFile = ".causal/specs/money/Parse.yml"
	cleanFile = ".causal/specs/money/Clean.yml"
	totalFile = ".causal/specs/cart/Total.yml"
	parseCode = "money/zz_causal_parse_test.go"
)

// read decodes a spec of a repository.
func read(t testing.TB, r *enginetest.Repository, file string) *spec.Spec {
	t.Helper()
	text, ok := r.Read(file)
	if !ok {
		t.Fatalf("%s is not there", file)
	}
	s, err := spec.Decode(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// record writes into a spec what a run would have given: the same text for each case.
func record(t testing.TB, r *enginetest.Repository, file, subject string, results func(c *spec.Case) testgen.Result) {
	t.Helper()
	s := read(t, r, file)
	_, plans := run(t, r)
	_, now, err := plans.Target(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	recorded := &testgen.Recorded{Now: now, Runs: 3, Results: map[string]testgen.Result{}}
	for i := range s.Cases {
		if c := &s.Cases[i]; c.Law == spec.Golden || c.Law == spec.Error {
			recorded.Results[c.ID] = results(c)
		}
	}
	testgen.Apply(s, recorded)
	r.Write(file, string(s.Encode()))
}

// parsed is what Parse of the shop gives.
func parsed(c *spec.Case) testgen.Result {
	text, _ := c.Args[0].Value.(string)
	if strings.Trim(text, "0123456789") != "" || text == "" {
		return testgen.Result{Want: &spec.Want{Error: true}}
	}
	return testgen.Result{Want: &spec.Want{Values: []spec.Typed{{Type: "int", Value: int64(100 * len(text))}}}}
}

// recordings are the files of specs as a run over the shop leaves them.
var recordings = sync.OnceValue(func() func(t testing.TB) map[string]string {
	var mu sync.Mutex
	var files map[string]string
	return func(t testing.TB) map[string]string {
		mu.Lock()
		defer mu.Unlock()
		if files == nil {
			r := repository(t, shop)
			record(t, r, parseFile, "money/Parse", parsed)
			record(t, r, totalFile, "cart/Total", parsed)
			run(t, r)
			parse, _ := r.Read(parseFile)
			total, _ := r.Read(totalFile)
			files = map[string]string{parseFile: parse, totalFile: total}
		}
		return maps.Clone(files)
	}
})

func replaced(t testing.TB, text, from, to string) string {
	t.Helper()
	if !strings.Contains(text, from) {
		t.Fatalf("test bug: %q does not stand in\n%s", from, text)
	}
	return strings.ReplaceAll(text, from, to)
}

// editsOfShop are made one after the other: first where nothing was recorded, then where a run gave values.
func editsOfShop(t testing.TB) []enginetest.Edit {
	const parse, clean, total, parseTest, totalTest = "spec/money/Parse", "spec/money/Clean", "spec/cart/Total", "test/money/zz_causal_parse_test.go", "test/cart/zz_causal_total_test.go"
	recorded := recordings()(t)
	money, digits, cart := shop["money/money.go"], shop["money/digits.go"], shop["cart/cart.go"]
	refactored := replaced(t, digits, "return strconv.Atoi(s)", "n, err := strconv.Atoi(s); return n, err")
	changed := replaced(t, money, "return Scale * n, err", "return n * Scale, err")
	return []enginetest.Edit{
		{Name: "a comment in a body", Files: map[string]string{"money/digits.go": replaced(t, digits, "{ return", "{ /* here */ return")}},
		{Name: "formatting", Files: map[string]string{"money/digits.go": replaced(t, digits, "{ return strconv.Atoi(s) }", "{\n\treturn strconv.Atoi(s)\n}")}},
		{Name: "a function of which no tests can be made", Files: map[string]string{"clock/clock.go": replaced(t, shop["clock/clock.go"], ".String()", ".UTC().String()")}},
		{Name: "as it was", Files: map[string]string{"money/digits.go": digits}},
		{Name: "a run", Files: recorded, Ran: []string{parseTest, totalTest}},
		{Name: "a comment where values are recorded", Files: map[string]string{"money/digits.go": replaced(t, digits, "{ return", "{ /* here */ return")}},
		{Name: "a helper", Files: map[string]string{"money/digits.go": refactored}, Ran: []string{parse, total, parseTest, totalTest}},
		{Name: "the helper as it was", Files: map[string]string{"money/digits.go": digits}, Ran: []string{parse, total, parseTest, totalTest}},
		{Name: "a function that others do not reach", Files: map[string]string{"money/clean.go": replaced(t, shop["money/clean.go"], "return strings.ToLower(name)", "lower := strings.ToLower(name); return lower")}, Ran: []string{clean}},
		{Name: "a body", Files: map[string]string{"money/money.go": changed}, Ran: []string{parse, total, parseTest, totalTest}},
		{Name: "a function more", Files: map[string]string{"cart/count.go": "package cart\n\nfunc Count(n int) int { return n + 1 }\n"}, Ran: []string{"spec/cart/Count"}},
		{Name: "a caller", Files: map[string]string{"cart/cart.go": replaced(t, cart, "a + b", "b + a")}, Ran: []string{total}},
		{Name: "a function less", Gone: []string{"money/clean.go"}, Removed: []string{clean}},
		{Name: "a module less", Gone: []string{"cart/cart.go", "cart/count.go"}, Removed: []string{total, "spec/cart/Count", totalTest}},
	}
}

// how tells how a spec came to be what it is, which two ways to one state may differ in: the frame that concluded it, and the session, the
// term and the file through which it was found to have fallen. The skipped test repeats the latter.
var how = regexp.MustCompile(`(?m)^frame_id: .*\n|^invalidated: .*\n|t\.Skip\(.*\)`)

// TestTestGenerationUnderTheSuite holds the plugin to what every plugin is held to.
func TestTestGenerationUnderTheSuite(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t testing.TB) enginetest.Subject {
		s := enginetest.Prepared(t, shop, over, editsOfShop(t)...)
		s.Plain = func(_ string, content []byte) []byte { return how.ReplaceAll(content, nil) }
		return s
	})
}

// TestSuiteHasCode: what the suite looks at has specs in each status that has code, and the code.
func TestSuiteHasCode(t *testing.T) {
	t.Parallel()
	r := repository(t, shop)
	if got := read(t, r, parseFile).Status; got != spec.Pending {
		t.Errorf("before a run, the spec is %s", got)
	}
	if names := slices.Collect(maps.Keys(r.All())); slices.Contains(names, parseCode) {
		t.Error("there is code though nothing was recorded")
	}
	for file, text := range recordings()(t) {
		r.Write(file, text)
	}
	run(t, r)
	if got := read(t, r, parseFile).Status; got != spec.Active {
		t.Errorf("after a run, the spec is %s", got)
	}
	if code, ok := r.Read(parseCode); !ok || !strings.Contains(code, "func TestParse_causal(") {
		t.Errorf("the code is %q", code)
	}
}
