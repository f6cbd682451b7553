package render

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/grounding"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// textOf reads files for a model.
func textOf(r *enginetest.Repository) func(file string) ([]byte, error) {
	return func(file string) ([]byte, error) {
		text, ok := r.Read(file)
		if !ok {
			return nil, errors.New("no such file")
		}
		return []byte(text), nil
	}
}

// writer is a model that answers by unit, and records its requests. Without an answer it fails.
type writer struct {
	answers map[string]string
	asked   []string
	texts   []string
}

func (w *writer) Answer(_ context.Context, q engine.Question) (string, error) {
	if q.Request == nil {
		return q.Draft()
	}
	w.asked, w.texts = append(w.asked, q.Request.Unit), append(w.texts, q.Request.Turns[0].Text)
	if answer, ok := w.answers[q.Request.Unit]; ok {
		return answer, nil
	}
	return q.Draft()
}

// says is an answer with sentences for one slot; each is followed by its cites, separated by spaces.
func says(slot string, sentences ...string) string {
	var list []string
	for i := 0; i+1 < len(sentences); i += 2 {
		cites, _ := json.Marshal(strings.Fields(sentences[i+1]))
		text, _ := json.Marshal(sentences[i])
		list = append(list, fmt.Sprintf(`{"text": %s, "cites": %s}`, text, cites))
	}
	return fmt.Sprintf(`{"slots": [{"slot": %q, "sentences": [%s]}]}`, slot, strings.Join(list, ", "))
}

// written is a repository with prose.
type written struct {
	*enginetest.Project
	t testing.TB
}

func newWritten(t testing.TB, files map[string]string) *written {
	t.Helper()
	return &written{enginetest.NewProject(t, files, overDocs), t}
}

func (w *written) engine(m engine.Model) *engine.Engine {
	w.t.Helper()
	return w.Engine(func(c *engine.Config) { c.Model = m })
}

func (w *written) update(m engine.Model) *engine.Report {
	w.t.Helper()
	return w.Update(func(c *engine.Config) { c.Model = m })
}

// fresh fails the test if a check finds something or asks a model.
func (w *written) fresh(when string) {
	w.t.Helper()
	m := &writer{}
	r, err := w.engine(m).Check(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range r.Fell {
		w.t.Errorf("%s: %s is stale: %v", when, f.Unit, f.Reasons)
	}
	if len(r.Differing) > 0 || len(m.asked) > 0 {
		w.t.Errorf("%s: %d files differ, asked %v", when, len(r.Differing), m.asked)
	}
}

func (w *written) page(file string) string {
	w.t.Helper()
	text, ok := w.Read(file)
	if !ok {
		w.t.Fatalf("there is no %s", file)
	}
	return text
}

var amounts = map[string]string{
	"go.mod":         "module x\n",
	"money/money.go": "package money\n\nimport \"strconv\"\n\nfunc Parse(s string) (int, error) {\n\treturn strconv.Atoi(s)\n}\n\nfunc Format(n int) string {\n\treturn strconv.Itoa(n)\n}\n",
	"cart/cart.go":   "package cart\n\nimport \"x/money\"\n\nfunc Total(s string) int {\n\tn, _ := money.Parse(s)\n\treturn n\n}\n",
	"tax/tax.go":     "// Package tax knows the rates of countries.\npackage tax\n\n// Rate gives the rate of a country.\nfunc Rate(country string) int {\n\treturn 19\n}\n",
	"hidden/key.go":  "package hidden\n\nfunc Key() string { return \"k\" }\n",
}

func honest() *writer {
	return &writer{answers: map[string]string{
		"module/money": says(purposeSlot, "Turns amounts into numbers and back with `Parse` and `Format`.", "money/money.go:5-11"),
		"module/cart":  says(purposeSlot, "Adds up a cart by `money.Parse`.", "cart.Total"),
		"module/tax":   says(howSlot, "Gives one rate, 19, for every country.", "tax/tax.go:4-7"),
		"page/index":   says(overviewSlot, "Adds up carts, whose amounts are read by another module.", "module/cart module/money"),
	}}
}

func TestProse(t *testing.T) {
	t.Parallel()
	w, m := newWritten(t, amounts), honest()
	w.update(nil)
	plain := w.Stored()
	open, err := w.engine(nil).Requests(t.Context())
	if err != nil || len(open) != 4 || open[0].Unit != "module/cart" {
		t.Errorf("%d requests are open, %v", len(open), err)
	}
	if !maps.EqualFunc(plain, w.Stored(), func(a, b []byte) bool { return string(a) == string(b) }) {
		t.Error("asking which requests are open wrote something")
	}
	w.update(m)
	if want := []string{"module/cart", "module/money", "module/tax", "page/index"}; !slices.Equal(slices.Sorted(slices.Values(m.asked)), want) {
		t.Errorf("asked %v, want %v", m.asked, want)
	}
	for file, want := range map[string][]string{
		"docs/modules/money.md":   {"Turns amounts into numbers and back with `Parse` and `Format`. <sub>[`Format`](", "money/money.go)", byModel},
		"docs/modules/cart.md":    {"Adds up a cart by `money.Parse`."},
		"docs/modules/tax.md":     {"Knows the rates of countries.", "## How it works\n\nGives one rate, 19, for every country."},
		"docs/index.md":           {"## Overview\n\nAdds up carts", "[`money`](modules/money.md)"},
		"docs/modules/README.md":  {"Adds up a cart by money.Parse. " + byModel},
		".causal/nodes/money.yml": {"- {slot: purpose,\n", "money.go#Parse", "prose_evidence:\n"},
	} {
		page := w.page(file)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s lacks %q:\n%s", file, text, page)
			}
		}
	}
	for i, unit := range m.asked {
		if text := m.texts[i]; unit == "module/tax" && (strings.Contains(text, "slot `purpose`") || strings.Contains(text, "slot `overview`")) || strings.Contains(text, "hidden") {
			t.Errorf("%s: %s", unit, text)
		}
	}
	if r, err := w.engine(nil).Requests(t.Context()); err != nil || len(r) > 0 {
		t.Errorf("%d requests are open, %v", len(r), err)
	}
	w.fresh("written")
	before, again := w.Stored(), honest()
	w.update(again)
	if len(again.asked) > 0 || !maps.EqualFunc(before, w.Stored(), func(a, b []byte) bool { return string(a) == string(b) }) {
		t.Errorf("a second run asked %v", again.asked)
	}
	if err := w.Forget(); err != nil {
		t.Fatal(err)
	}
	w.fresh("in a fresh clone")
	w.update(again)
	if len(again.asked) > 0 {
		t.Errorf("a run in a fresh clone asked %v", again.asked)
	}
}

func TestProseFollowsItsEvidence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, content string
		asks          []string
		banner        bool // without a model
	}{
		"formatting":           {"cart/cart.go", strings.Replace(amounts["cart/cart.go"], "\treturn n", "\n\t// here\n\treturn  n", 1), nil, false},
		"a body":               {"cart/cart.go", strings.Replace(amounts["cart/cart.go"], "return n", "return n + 1", 1), []string{"module/cart"}, true},
		"another file":         {"cart/more.go", "package cart\n", []string{"module/cart"}, true},
		"a test":               {"cart/cart_test.go", "package cart\n", nil, false},
		"words of a person":    {"cart/cart.go", "// Package cart sums up amounts.\n" + amounts["cart/cart.go"], []string{"module/cart", "page/index"}, false},
		"a module":             {"other/other.go", "package other\n\nfunc Other() {}\n", []string{"module/other", "page/index"}, false},
		"what nobody may see":  {"hidden/key.go", "package hidden\n\nfunc Lock() {}\n", nil, false},
		"a name of a callee":   {"money/money.go", strings.Replace(amounts["money/money.go"], "Format", "Print", 1), []string{"module/money", "page/index"}, true},
		"a file that is wrong": {"cart/cart.go", "package cart\n\nfunc Total(", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWritten(t, amounts)
			w.update(honest())
			w.Write(c.file, c.content)
			w.update(nil)
			w.fresh("after an update without a model")
			banners := false
			for file, text := range w.Stored() {
				banners = banners || strings.HasSuffix(file, ".md") && file != "docs/index.md" && strings.Contains(string(text), "**Out of date**")
			}
			if banners != c.banner {
				t.Errorf("without a model: banner %t, want %t", banners, c.banner)
			}
			m := honest()
			w.update(m)
			if asked := slices.Sorted(slices.Values(m.asked)); !slices.Equal(asked, c.asks) {
				t.Errorf("asked %v, want %v", asked, c.asks)
			}
			w.fresh("after an update with a model")
			for file, text := range w.Stored() {
				if strings.Contains(string(text), "**Out of date**") {
					t.Errorf("%s is out of date after an update with a model:\n%s", file, text)
				}
			}
		})
	}
}

func TestLiesStayOffPages(t *testing.T) {
	t.Parallel()
	w, m := newWritten(t, amounts), honest()
	m.answers["module/money"] = says(overviewSlot, "Turns text into numbers with `Parse`.", "money/money.go:5-7", "Rounds with `RoundHalfEven`.", "money/money.go:5-7",
		"Keeps rates.", "money/rates.go:1-9", "Calls ParseAmount() first.", "money/money.go:5-7", "Has no source.", "", "Knows <b>all</b>.", "money/money.go:5-7", "Adds up.", "cart/cart.go:5-7")
	m.answers["module/tax"] = says(purposeSlot, "Knows nothing.", "tax/tax.go:4-7")
	r := w.update(m)
	if len(r.Dropped) != 7 {
		t.Errorf("dropped %v", r.Dropped)
	}
	for file, text := range w.Stored() {
		for _, lie := range []string{"RoundHalfEven", "rates.", "ParseAmount", "no source", "<b>", "Knows nothing", "cart.go:5"} {
			if strings.Contains(file, "money") && strings.Contains(string(text), lie) {
				t.Errorf("%s has %q", file, lie)
			}
		}
	}
	if page := w.page("docs/modules/money.md"); !strings.Contains(page, "Turns text into numbers") {
		t.Errorf("the true sentence is gone:\n%s", page)
	}
}

// TestLargeModulesAreShownInPart: a model sees the declarations and some code of a large module, and a change of other code needs no request.
func TestLargeModulesAreShownInPart(t *testing.T) {
	t.Parallel()
	function := func(name, body string) string {
		return "func " + name + "(n int) int {\n" + strings.Repeat("\tn += "+body+"\n", 12) + "\treturn n\n}\n\n"
	}
	file := func(hidden string) string {
		text := "package big\n\n"
		for i := range 80 {
			text += function(fmt.Sprintf("Add%d", i), fmt.Sprint(i))
		}
		return text + function("inner", hidden)
	}
	w, m := newWritten(t, map[string]string{"go.mod": "module x\n", "big/big.go": file("1")}), &writer{answers: map[string]string{
		"module/big": says(purposeSlot, "Adds numbers with `Add0`.", "big.Add0", "Adds inside.", "big/big.go:1202-1204"),
	}}
	w.update(m)
	if len(m.texts) != 1 || len(m.texts[0]) > 16<<10 || strings.Contains(m.texts[0], "func inner") {
		t.Errorf("asked %v, %d bytes", m.asked, len(strings.Join(m.texts, "")))
	}
	w.Write("big/big.go", file("2"))
	w.update(m)
	w.fresh("after a change of what was not shown")
	if len(m.asked) != 1 {
		t.Errorf("asked %v", m.asked)
	}
	w.Write("big/big.go", strings.Replace(file("2"), "Add7(n int)", "Add7(n int64)", 1))
	if w.update(m); len(m.asked) != 2 {
		t.Errorf("asked %v after a changed signature", m.asked)
	}
}

// TestProseIsAsFromScratch checks that prose after any edits, with a model in some runs only, equals the prose of a run from scratch.
func TestProseIsAsFromScratch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		files := maps.Clone(amounts)
		w := newWritten(t, files)
		for range rapid.IntRange(1, 4).Draw(rt, "runs") {
			var m engine.Model
			if rapid.Bool().Draw(rt, "model") {
				m = echo{}
			}
			w.update(m)
			w.fresh("in between")
			name := rapid.SampledFrom([]string{"cart/cart.go", "money/money.go", "tax/tax.go"}).Draw(rt, "file")
			files[name] = rapid.SampledFrom([]func(string) string{
				func(s string) string { return strings.Replace(s, "return ", "println()\n\treturn ", 1) },
				func(s string) string { return s + "\n// end\n" },
				func(s string) string { return strings.Replace(s, "func ", "func New() {}\n\nfunc ", 1) },
				func(string) string { return amounts[name] },
			}).Draw(rt, "edit")(files[name])
			w.Write(name, files[name])
		}
		w.update(echo{})
		w.fresh("at the end")
		clean := newWritten(t, files)
		clean.update(echo{})
		for name, text := range clean.Stored() {
			if plain := links.ReplaceAllString; !w.Layout.IsFrames(name) && plain(string(w.Stored()[name]), "") != plain(string(text), "") {
				rt.Errorf("%s is\n%s\nand from scratch\n%s", name, w.Stored()[name], text)
			}
		}
	})
}

// echo is a model whose sentences count functions and calls in its input.
type echo struct{}

var citable = regexp.MustCompile(`<data \w+ (\S+)>\n\d+\t|^(module/\S+) |\n(module/\S+) `)

func (echo) Answer(_ context.Context, q engine.Question) (string, error) {
	if q.Request == nil {
		return q.Draft()
	}
	text := q.Request.Turns[0].Text
	found := citable.FindStringSubmatch(text)
	if found == nil {
		return `{"slots": []}`, nil
	}
	cite := found[1] + found[2] + found[3]
	return says(overviewSlot, fmt.Sprintf("Has %d functions and %d calls.", strings.Count(text, "func "), strings.Count(text, "println")), cite), nil
}

// TestMainIsShown: of a large program, a model sees the main function.
func TestMainIsShown(t *testing.T) {
	t.Parallel()
	text := "package main\n\n"
	for i := range 90 {
		text += fmt.Sprintf("// Step%d is a step of the program, with a number that tells it from the others.\nfunc Step%d() {\n\tprintln(1)\n\tprintln(2)\n\tprintln(3)\n}\n\n", i, i)
	}
	w, m := newWritten(t, map[string]string{"go.mod": "module x\n", "main.go": text + "func main() {\n\tStep1()\n\tStep2()\n\tStep3()\n}\n"}), &writer{}
	w.update(m)
	if len(m.texts) != 1 || !strings.Contains(m.texts[0], "\tStep2()") || strings.Contains(m.texts[0], "println(2)\n\tprintln(3)\n}\n\n// Step") {
		t.Errorf("shown: %s", m.texts)
	}
}

func TestDeclaredIn(t *testing.T) {
	t.Parallel()
	k := &survey.Module{Declared: []source.Declared{
		{Symbol: &source.Symbol{Line: 3, End: 9}, Name: "Cart", Path: "shop/cart.py"},
		{Symbol: &source.Symbol{Line: 4, End: 6}, Name: "Cart.add", Path: "shop/cart.py"},
		{Symbol: &source.Symbol{Line: 12, End: 14}, Name: "total", Path: "shop/cart.py"},
	}}
	for lines, want := range map[[2]int]string{
		{4, 5}: "cart.py#Cart.add", {3, 9}: "cart.py#Cart", {5, 13}: "cart.py#Cart cart.py#total", {12, 12}: "cart.py#total", {10, 11}: "cart.py", {0, 0}: "cart.py",
	} {
		got := declaredIn(k, []grounding.Cite{{File: "shop/cart.py", From: lines[0], To: lines[1]}})
		if strings.Join(got, " ") != want {
			t.Errorf("lines %v are in %v, want %s", lines, got, want)
		}
	}
}

// TestProseSurvivesConflicts: of nodes with conflict markers, the prose of the current branch stays.
func TestProseSurvivesConflicts(t *testing.T) {
	t.Parallel()
	w := newWritten(t, amounts)
	w.update(honest())
	for _, file := range []string{".causal/nodes/cart.yml", ".causal/overview.yml"} {
		text := w.page(file)
		i := strings.Index(text, "- {slot")
		w.Write(file, text[:i]+"<<<<<<< HEAD\n"+text[i:]+"||||||| base\n- {slot: other}\n=======\n- {slot: theirs}\n>>>>>>> topic\n")
	}
	w.update(nil)
	w.fresh("after the conflict")
	for file, want := range map[string]string{
		"docs/modules/cart.md": "Adds up a cart by `money.Parse`.", "docs/index.md": "Adds up carts, whose amounts", ".causal/nodes/cart.yml": "Adds up a cart", ".causal/overview.yml": "Adds up carts",
	} {
		if text := w.page(file); !strings.Contains(text, want) || strings.Contains(text, "<<<<") || strings.Contains(text, "Out of date") {
			t.Errorf("%s is\n%s", file, text)
		}
	}
}
