package python

import (
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// repository is a testgen.Repository over files in memory. Bodies reach nothing but what reach says.
type repository struct {
	files map[string]string
	reach map[string]testgen.Reach
}

func (r *repository) Files(dir string) (out []string, err error) {
	for name := range r.files {
		if path.Dir(name) == dir {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (r *repository) Read(name string) ([]byte, error) {
	if text, ok := r.files[name]; ok {
		return []byte(text), nil
	}
	return nil, nil
}

func (r *repository) Dir(string, string) (string, bool) { return "", false }

func (r *repository) Open(dir string) (testgen.Module, error) { return Language.Open(r, dir) }

func (r *repository) Reach(dir, symbol string) (testgen.Reach, bool, error) {
	if known, ok := r.reach[symbol]; ok {
		return known, true, nil
	}
	return testgen.Reach{Within: []string{symbol}}, true, nil
}

func opened(t *testing.T, dir string, files map[string]string) testgen.Module {
	t.Helper()
	m, err := (&repository{files: files}).Open(dir)
	if err != nil || m == nil {
		t.Fatalf("no module: %v", err)
	}
	return m
}

func targetOf(t *testing.T, m testgen.Module, symbol string) *testgen.Target {
	t.Helper()
	got, err := m.Target(symbol)
	if err != nil || got == nil {
		t.Fatalf("no %s: %v", symbol, err)
	}
	return got
}

const shop = `"""Sells."""
from dataclasses import dataclass

@dataclass
class Price:
    """A price.

    >>> Price(12, "EUR").text()
    '12 EUR'
    """
    amount: int
    currency: str = "EUR"

    def text(self, sign: bool = False) -> str:
        return f"{self.amount} {self.currency}"

    @property
    def free(self) -> bool:
        return self.amount == 0

    @classmethod
    def parse(cls, text: str) -> "Price":
        """Read a price, such as "12 EUR".

        >>> Price.parse("x")
        Traceback (most recent call last):
        ValueError: no price
        """
        return cls(1)

def clean(name: str, *, upper: bool = False) -> str:
    """Leave single spaces in a name.

    >>> clean(" a  b")
    'a b'
    >>> clean("a", upper=True)
    'A'
    """
    return name

def encode(value: list[int]) -> str: return ""
def decode(text: str) -> list[int]: return []
def unknown(thing): return thing
def connect(to: Socket) -> int: return 1
def tell(x: int) -> None: pass
async def wait(x: int) -> int: return x
@app.route("/")
def page(x: int) -> str: return ""
def _private(x: int) -> int: return x
def read(name: str) -> str: return open(name).read()
`

func TestPlans(t *testing.T) {
	m := opened(t, "src/shop", map[string]string{
		"pyproject.toml": "[project]\nname = \"shop\"\nrequires-python = \">=3.9\"\n", "src/shop/__init__.py": shop, "src/shop/empty.py": "X = 1\n",
		"tests/test_shop.py": "from shop import unknown\ndef test_unknown():\n    assert unknown({'a': 1}) == 1\n",
	})
	for symbol, want := range map[string]string{
		"Price.text": "", "Price.free": "", "Price.parse": "", "clean": "", "encode": "", "decode": "", "unknown": "",
		"connect": "takes Socket", "tell": "returns nothing", "wait": "coroutine", "page": "@app.route", "read": "reaches open()",
	} {
		got := targetOf(t, m, symbol)
		if reason := got.Reason; want == "" && reason != "" || !strings.Contains(reason, want) {
			t.Errorf("%s: %q, expected %q", symbol, reason, want)
		}
		if got.Language != "3.9" || got.CodeFile != "tests/test_causal_shop.py" || got.Spec.Pkg != "shop" {
			t.Errorf("%s is for %s, in %s, of %s", symbol, got.Language, got.CodeFile, got.Spec.Pkg)
		}
	}
	if slices.Contains(m.Symbols(), "_private") {
		t.Error("what is private has tests")
	}
	for symbol, want := range map[string]spec.Law{"clean": spec.Idempotent, "encode": spec.RoundTrip, "decode": spec.RoundTrip} {
		p := PlanOf(targetOf(t, m, symbol))
		if len(p.Laws) != 1 || p.Laws[0].Law != want {
			t.Errorf("the laws of %s: %v", symbol, p.Laws)
		}
	}
	if p := PlanOf(targetOf(t, m, "encode")); len(p.Reaches) != 1 || p.Reaches[0].Name != "decode" {
		t.Errorf("a round trip rests on %v, too", p.Reaches)
	}
	if p := PlanOf(targetOf(t, m, "unknown")); len(p.Candidates) != 1 || p.Candidates[0].From != testgen.FromTest {
		t.Errorf("what a test gives: %v", p.Candidates)
	}
	if looked := m.(testgen.Looker).Looked(); !slices.Contains(looked, "tests") {
		t.Errorf("looked at %v", looked)
	}
}

// TestOriginsOfMethods: the origin of a call is that of its object too, and a call of defaults only has none.
func TestOriginsOfMethods(t *testing.T) {
	m := opened(t, "bag", map[string]string{
		"pyproject.toml": "[project]\nname = \"bag\"\n",
		"bag/__init__.py": "class Bag:\n    def __init__(self, items=()):\n        self.items = list(items)\n    def count(self, what: int) -> int:\n        return self.items.count(what)\n" +
			"def total(most=3) -> int:\n    return most\ndef version() -> str:\n    return \"1\"\n",
		"tests/test_bag.py": "from bag import Bag\ndef test_count():\n    assert Bag([1, 2, 1]).count(1) == 2\n",
	})
	for symbol, want := range map[string]string{
		"Bag.count": `{Bag: {call: "Bag", args: [{list: [1, 2, 1]}]}}, {int: 1} test`, "total": "{int: 3} literal", "version": " boundary the one call there is",
	} {
		c := targetOf(t, m, symbol).Candidates[0]
		var args []string
		for _, a := range c.Args {
			args = append(args, a.String())
		}
		if got := strings.TrimRight(strings.Join(args, ", ")+" "+c.From+" "+c.Why, " "); got != want {
			t.Errorf("%s: %s", symbol, got)
		}
	}
	for _, c := range slices.Concat(targetOf(t, m, "Bag.count").Candidates, targetOf(t, m, "total").Candidates) {
		made := c.Args
		if len(c.Args) > 0 && c.Args[0].Type == "Bag" {
			made, _ = madeFrom(c.Args[0])
		}
		if len(made) == 0 && c.From != testgen.FromBoundary {
			t.Errorf("a call of defaults only is from %s", c.From)
		}
	}
}

// TestImportNames: tests import a module by the name that it has where it is installed.
func TestImportNames(t *testing.T) {
	for _, c := range []struct{ file, others, want string }{
		{"src/shop/money.py", "src/shop/__init__.py", "shop.money"}, {"shop/__init__.py", "", "shop"}, {"money.py", "", "money"},
		{"src/name/space/money.py", "", "name.space.money"}, {"a/b/c/__init__.py", "a/__init__.py a/b/__init__.py", "a.b.c"},
		{"packages/one/src/shop/x.py", "packages/one/pyproject.toml packages/one/src/shop/__init__.py", "shop.x"}, {"my-dir/x.py", "", ""}, {"src/shop/class.py", "", ""},
	} {
		files := map[string]string{c.file: "def f(x: int) -> int: return x\n", "setup.py": ""}
		for _, name := range strings.Fields(c.others) {
			files[name] = ""
		}
		m, err := (&repository{files: files}).Open(path.Dir(c.file))
		got := ""
		if m != nil && len(m.Symbols()) > 0 {
			got = targetOf(t, m, m.Symbols()[0]).Spec.Pkg
		}
		if err != nil || got != c.want {
			t.Errorf("%s is imported as %q (%v), expected %q", c.file, got, err, c.want)
		}
	}
}

// TestProposed: what documentation shows is wanted at once, and everything else waits for a run.
func TestProposed(t *testing.T) {
	m := opened(t, "shop", map[string]string{"shop/__init__.py": shop})
	cases, _ := targetOf(t, m, "clean").Propose()
	var shown int
	for i := range cases {
		c := &cases[i]
		if (c.Law == spec.Example) != c.Coded() {
			t.Errorf("%s is in the code: %v", c, c.Coded())
		}
		if c.Coded() {
			shown++
		}
	}
	if shown != 2 || len(cases) > testgen.MostCases {
		t.Errorf("%d of %d cases are shown", shown, len(cases))
	}
	if cases, _ = targetOf(t, m, "Price.parse").Propose(); cases[0].Raises != "ValueError" || !cases[0].Want.Error {
		t.Errorf("what a traceback shows: %s", &cases[0])
	}
}

func outcome(value string) *Outcome { return &Outcome{Value: []byte(value)} }

func TestChoose(t *testing.T) {
	m := opened(t, "shop", map[string]string{"shop/__init__.py": shop})
	p := targetOf(t, m, "clean")
	given := func(text string) testgen.Candidate {
		return testgen.Candidate{Args: []spec.Typed{typed(text)}, From: testgen.FromBoundary}
	}
	shown := given(" a  b")
	shown.Want, shown.From = &spec.Want{Values: []spec.Typed{typed("a b")}}, testgen.FromDoc
	wrong := given("w")
	wrong.Want = &spec.Want{Values: []spec.Typed{typed("something else")}}
	three := func(c testgen.Candidate, o ...*Outcome) *testgen.Call {
		return &testgen.Call{Candidate: c, Runs: []testgen.Run{o[0], o[len(o)/2], o[len(o)-1]}}
	}
	got := p.Choose([]*testgen.Call{
		three(given("same"), outcome(`"x"`)), three(shown, outcome(`"a b"`)), three(wrong, outcome(`"w"`)),
		three(given("slow"), &Outcome{Value: []byte(`""`), RunInfo: testgen.RunInfo{Micros: 2 * time.Second.Microseconds()}}), three(given("bug"), &Outcome{Raised: "AttributeError"}),
		three(given("refused"), &Outcome{Raised: "ValueError", Refuse: true, Lines: []string{"a:1"}}), three(given("long"), &Outcome{RunInfo: testgen.RunInfo{Ended: "it takes more than 10 seconds"}}),
	}, false)
	var lines []string
	for i := range got.Cases {
		c := &got.Cases[i]
		lines = append(lines, strings.TrimSpace(string(c.Law)+" "+c.Want.Text()+" "+c.Raises+c.Quarantined))
	}
	want := []string{"example a b", "golden x", "error error ValueError", "idempotent nothing", "example something else the documentation shows something else, and it gives w", "golden nothing it takes more than a second"}
	slices.Sort(lines)
	slices.Sort(want)
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nexpected\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	got = p.Choose([]*testgen.Call{three(given("a"), outcome(`1`), outcome(`1`), outcome(`2`)), three(given("b"), outcome(`3`))}, false)
	if len(got.Cases) != 1 || got.Cases[0].Quarantined != testgen.Unstable {
		t.Errorf("what gives another result each time: %v", got.Cases)
	}
}

// TestCode holds the code of specs to golden files. What the specs say is hostile where it can be.
func TestCode(t *testing.T) {
	evil := "\"'''\\ \r\n\"\"\"\nimport os  # type: ignore\n\x00\u2028{} %s"
	m := opened(t, "src/shop", map[string]string{
		"pyproject.toml": "[project.optional-dependencies]\ntest = [\"hypothesis\"]\n", "src/shop/__init__.py": "", "src/shop/sale.py": shop,
	})
	coded := func(symbol string, status spec.Status, rationale string, cases ...string) testgen.Coded {
		target := targetOf(t, m, symbol)
		s := &spec.Spec{Target: target.Spec, Status: status, Rationale: rationale, Fell: &spec.Fell{Because: evil, File: evil, Session: "s-1"}}
		for _, text := range cases {
			c, err := spec.DecodeCase(text)
			if err != nil {
				t.Fatal(err)
			}
			s.Cases = append(s.Cases, *c)
		}
		return testgen.Coded{File: ".causal/specs/src/shop/" + symbol + ".yml", Spec: s, Target: target}
	}
	hostile := coded("sale.clean", spec.Active, evil,
		`{id: c-1, law: golden, why: "x", args: [{str: "a"}], want: {str: "b"}}`, `{id: c-2, law: golden, why: "y", args: [{str: "a"}, {bool: true}], want: {str: "b"}}`,
		`{id: c-3, law: error, why: "z", args: [{int: 1}], want: {error: true}}`, `{id: c-4, law: error, why: "z", args: [{str: "no"}], want: {error: true}, raises: shop.sale.Refused}`,
		`{id: c-5, law: error, why: "z", args: [{str: "no"}], want: {error: true}, raises: os.system}`, `{id: c-6, law: idempotent, why: "again", over: [c-1]}`,
		`{id: c-7, law: no_panic, why: "any", over: [c-1]}`)
	hostile.Spec.Cases[0].Why, hostile.Spec.Cases[0].Args[0].Value = evil, evil
	data, misfits, err := Language.Code([]testgen.Coded{
		coded("sale.Price.free", spec.Active, "", `{id: c-1, law: golden, why: "x", args: [{Price: {call: Price, args: [{int: 0}]}}], want: {bool: true}}`),
		coded("sale.Price.parse", spec.Active, "Reads.", `{id: c-1, law: golden, why: "x", args: [{str: "1"}], want: {string_of: "Price(amount=1)"}}`),
		coded("sale.Price.text", spec.Active, strings.Repeat("Long words are wrapped. ", 8),
			`{id: c-1, law: example, why: "x", args: [{Price: {call: Price, args: [{int: 12}, {str: EUR}]}}, {bool: true}], want: {str: "12 EUR"}}`,
			`{id: c-2, law: example, why: "a long reason to be on lines of its own, which is what black does with it", args: [{Price: {call: Price, args: [{int: 12}, {str: EUR}]}}, {bool: false}], want: {str: "12 EUR"}}`),
		hostile,
		coded("sale.encode", spec.Active, "There and back.", `{id: c-1, law: golden, why: "x", args: [{list: [1, 2]}], want: {str: "1 2"}}`, `{id: c-2, law: roundtrip, why: "w", over: [c-1], inverse: decode}`),
		coded("sale.decode", spec.Active, "There and back.", `{id: c-1, law: golden, why: "x", args: [{str: "1 2"}], want: {list: [1, 2]}}`, `{id: c-2, law: roundtrip, why: "w", over: [c-1], inverse: encode}`),
		coded("sale.unknown", spec.Invalidated, evil),
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"c-3": "takes a str", "c-5": "no exception of this project"} {
		if got := misfits[hostile.File][id]; !strings.Contains(got, want) {
			t.Errorf("%s does not fit because %q, expected %q", id, got, want)
		}
	}
	if !Language.Ours(data) {
		t.Error("the code is not known again")
	}
	for i, line := range strings.Split(string(data), "\n") {
		if len([]rune(line)) > width && !strings.Contains(line, `"`) {
			t.Errorf("line %d is too long: %s", i+1, line)
		}
	}
	golden := filepath.Join("testdata", "code.py.golden")
	if *update {
		if err := os.WriteFile(golden, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || string(want) != string(data) {
		t.Errorf("the code is another (%v):\n%s", err, data)
	}
}

// TestReachesOfBodies: what lies behind a function counts, wherever it is.
func TestReachesOfBodies(t *testing.T) {
	r := &repository{
		files: map[string]string{"shop/__init__.py": "def f(x: int) -> int: return g(x)\n", "lib/__init__.py": "def g(x): return open(x)\n"},
		reach: map[string]testgen.Reach{"f": {Within: []string{"f"}, Outside: []testgen.Name{{Dir: "lib", Name: "g"}}}},
	}
	m, err := r.Open("shop")
	if err != nil {
		t.Fatal(err)
	}
	if got := targetOf(t, m, "f").Reason; got != "reaches open()" {
		t.Errorf("%q", got)
	}
	r.files["lib/__init__.py"] = "def g(x): return x\n"
	if m, err = r.Open("shop"); err != nil {
		t.Fatal(err)
	}
	p := PlanOf(targetOf(t, m, "f"))
	if p.Reason != "" || len(p.Reaches) != 1 || p.Reaches[0] != (testgen.Name{Dir: "lib", Name: "g"}) {
		t.Errorf("%q, reaches %v", p.Reason, p.Reaches)
	}
}

// TestCodeParses: Python reads the code.
func TestCodeParses(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	said, err := exec.Command(python, "-c", "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read())", filepath.Join("testdata", "code.py.golden")).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, said)
	}
}
