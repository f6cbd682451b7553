package stale

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change/changetest"
	"github.com/causaldocs/causal/review/finding"
)

// toldOf are the findings in the comments of a file.
func toldOf(t *testing.T, w survey.Reader, file string) []finding.Finding {
	t.Helper()
	found, skipped, err := Comments(w, file)
	if err != nil || len(skipped) > 0 {
		t.Fatal(skipped, err)
	}
	return found
}

// mended is a text with a suggestion taken.
func mended(text string, s *finding.Suggestion) string {
	lines := strings.Split(text, "\n")
	return strings.Join(append(append(append([]string{}, lines[:s.Line-1]...), strings.Split(s.Replacement, "\n")...), lines[s.EndLine:]...), "\n")
}

func TestComments(t *testing.T) {
	t.Parallel()
	const (
		shelf    = "package shelf\n\n// Trim cuts a list.\n// At most maxItems stay, and keepLast says from which end.\nfunc Trim(list []int, maxItems int, keepLast bool) []int { return list }\n"
		trim     = "def trim(items, max_items, keep_last):\n    \"\"\"Cut a list.\n\n    Args:\n        items: What to cut.\n        max_items: How many stay.\n        keep_last: From which end.\n    \"\"\"\n    return items\n"
		crop     = "def crop(items, max_items, keep_last):\n    \"\"\"Cut a list.\n\n    :param items: What to cut.\n    :param max_items: How many stay.\n    :param ghost: Was never one.\n    \"\"\"\n    return items\n"
		numpyDoc = "def f(x, y, z):\n    \"\"\"Do.\n\n    Parameters\n    ----------\n    x : int\n        First.\n    y : int\n        Second.\n\n        More.\n    z : int\n        Third.\n\n    Returns\n    -------\n    y\n    \"\"\"\n"
		web      = "/**\n * Cut a list.\n * @param items what to cut\n * @param maxItems how many stay\n * @param keepLast from which end\n */\nexport function trim(items: number[], maxItems: number, keepLast: boolean): number[] {\n  return items;\n}\n"
	)
	for _, test := range []struct{ name, path, text, old, new, want, after string }{
		{"Go, renamed", "shelf.go", shelf, "maxItems int", "bound int", "4 stale-parameter Trim parameter renamed", "At most bound stay"},
		{"Go, removed", "shelf.go", shelf, "maxItems int, ", "", "4 stale-parameter Trim parameter removed", ""},
		{"Go, doc mended along", "shelf.go", shelf, "maxItems", "bound", "", ""},
		{"Google, renamed", "trim.py", trim, "items, max_items,", "items, bound,", "6 stale-parameter trim.trim parameter renamed", "        bound: How many stay."},
		{"Google, removed", "trim.py", trim, "items, max_items,", "items,", "6 stale-parameter trim.trim parameter removed", "to cut.\n        keep_last"},
		{"Sphinx, removed", "crop.py", crop, "items, max_items,", "items,", "5 stale-parameter crop.crop parameter removed", "to cut.\n    :param ghost"},
		{"TSDoc, removed", "web/trim.ts", web, "maxItems: number, ", "", "4 stale-parameter trim.trim parameter removed", "to cut\n * @param keepLast"},
		{"TSDoc, renamed", "web/trim.ts", web, "maxItems: number", "bound: number", "4 stale-parameter trim.trim parameter renamed", " * @param bound how"},
		{"function renamed", "shelf.go", shelf, "func Trim(", "func Cut(", "3 stale-name Cut func renamed", "// Cut cuts a list."},
		{"type renamed", "money.go", shop["money/money.go"], "type Amount int64", "type Sum int64", "6 stale-name Sum type renamed", "// Sum counts"},
		{"NumPy, removed", "a.py", numpyDoc, "x, y, z", "x, z", "8 stale-parameter a.f parameter removed", "    x : int\n        First.\n    z : int"},
		{"NumPy, renamed", "a.py", numpyDoc, "def f(x, y", "def f(x, other", "8 stale-parameter a.f parameter renamed", "    other : int"},
		{"of what a class takes", "a.py", "class A:\n    \"\"\"An A.\n\n    :param one: First.\n    :param two: Second.\n    \"\"\"\n\n    def __init__(self, one, two):\n        pass\n", "one, two):", "one):", "5 stale-parameter a.A parameter removed", ":param one: First.\n    \"\"\""},
		{"the only one of a section", "a.py", "def f(x):\n    \"\"\"Do.\n\n    Args:\n        x: It.\n    \"\"\"\n", "f(x)", "f()", "5 stale-parameter a.f parameter removed", ""},
		{"taken by name now", "a.py", "def f(x, y):\n    \"\"\"Do.\n\n    :param x: It.\n    :param y: Other.\n    \"\"\"\n", "f(x, y)", "f(x, **more)", "", ""},
		{"Javadoc, in two lines", "A.java", "public class A {\n  /**\n   * Do.\n   * @param one is\n   *     first\n   * @param two is second\n   */\n  public void f(int one, int two) {}\n}\n", "int one, ", "", "4 stale-parameter A.f parameter removed", "   * Do.\n   * @param two"},
		{"JSDoc with types", "a.js", "/**\n * Do.\n * @param {Map<string, number>} [one=1] is first\n * @param {number} two.three is no parameter\n */\nexport function f(one, two) {}\n", "f(one, two)", "f(first, two)", "3 stale-parameter a.f parameter renamed", " * @param {Map<string, number>} [first=1] is"},
		{"Doxygen", "a.h", "/**\n * Do.\n * @param[in] one is first\n * \\param two is second\n */\nint f(const char *one, int two[3]);\n", "const char *one, ", "", "3 stale-parameter f parameter removed", " * Do.\n * \\param two"},
		{"Rust", "a.rs", "/// Do.\n///\n/// # Arguments\n///\n/// * `one` - First.\n/// * `two` - Second.\npub fn f(one: u8, two: &str) {}\n", "one: u8, ", "", "5 stale-parameter a.f parameter removed", "///\n/// * `two`"},
		{"a word that people speak", "a.go", "package a\n\n// Trim cuts a list.\nfunc Trim(list []int, most int) {}\n", "list []int, most int", "most int", "", ""},
		{"what the code still has", "a.go", "package a\n\n// Trim stops at maxItems.\nfunc Trim(maxItems int) { use(maxItems) }\n", "Trim(maxItems int) {", "Trim() { maxItems := 1;", "", ""},
		{"what is selected", "a.go", "package a\n\n// Trim stops at o.maxItems.\nfunc Trim(maxItems int) {}\n", "maxItems int", "o options", "", ""},
		{"a result", "a.go", "package a\n\n// Trim returns newList.\nfunc Trim() (newList []int) { return nil }\n", "(newList []int)", "[]int", "", ""},
		{"method renamed", "a.go", "package a\n\ntype T int\n\n// The Parse method reads.\nfunc (t T) Parse() { read(t) }\n", "(t T) Parse(", "(t T) Read(", "5 stale-name T.Read method renamed", "// The Read method"},
		{"with the wrong article", "a.go", "package a\n\n// An Amount counts.\ntype Amount int64\n", "type Amount", "type Sum", "3 stale-name Sum type renamed", ""},
		{"an ordinary word", "a.go", "package a\n\n// Amount of money.\ntype Amount int64\n", "type Amount", "type Sum", "", ""},
		{"an ordinary word of TypeScript", "a.ts", "/** Amount counts. */\nexport class Amount {}\n", "class Amount", "class Sum", "", ""},
		{"another language", "a.ts", "/** parseAmount reads. */\nexport function parseAmount() { read() }\n", "function parseAmount", "function readAmount", "1 stale-name a.readAmount func renamed", "/** readAmount reads. */"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			base := files{"go.mod": "module example.com/m\n", test.path: test.text}
			head := base.with(t, edit{test.path, test.old, test.new})
			var got []string
			for _, f := range toldOf(t, changetest.Between(t, base, head), test.path) {
				got = append(got, fmt.Sprintf("%d %s %s %s", f.Line, f.Rule, f.Symbol, f.Change))
				if f.Suggestion == nil {
					if test.after != "" {
						t.Error("no suggestion")
					}
					continue
				}
				text := mended(head[test.path], f.Suggestion)
				if !strings.Contains(text, test.after) || strings.Count(text, "\n") < strings.Count(head[test.path], "\n")-4 {
					t.Errorf("the suggestion makes of it\n%s", text)
				}
				if again := toldOf(t, changetest.Between(t, base, base.with(t, edit{test.path, "", text})), test.path); len(again) > 0 {
					t.Errorf("after the suggestion: %v", again)
				}
			}
			if strings.Join(got, "\n") != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestUntested(t *testing.T) {
	t.Parallel()
	base := shop.with(t, edit{"money/money_test.go", "", "package money\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Log() }\n"})
	body := edit{"money/money.go", "return digits(text)", "return digits(text + \"\")"}
	for _, test := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"body", []edit{body}, "This change edits exported functions without a test: ParseAmount."},
		{"signature", []edit{{"money/money.go", "ParseAmount(text string)", "ParseAmount(text string, more ...int)"}}, "This change edits exported functions without a test: ParseAmount."},
		{"body and a test", []edit{body, {"money/money_test.go", "t.Log()", "t.Log(1)"}}, ""},
		{"body and a new test file", []edit{body, {"money/more_test.go", "", "package money\n"}}, ""},
		{"doc only", []edit{{"money/money.go", "reads a whole", "reads one whole"}}, ""},
		{"unexported", []edit{{"money/money.go", "Atoi(text)", `Atoi(text + "")`}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, found, err := Untested(changetest.Between(t, base, base.with(t, test.edits...)))
			if err != nil || got != test.want || found != (got != "") {
				t.Errorf("%q, %v, %v, want %q", got, found, err, test.want)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	base := files{"a.go": "package a\n", "run.sh": "x\n", "gone.go": "package a\n"}
	w := changetest.Between(t, base, base.with(t, edit{"a.go", "", "package a\n\nfunc {{{\n"}, edit{"run.sh", "", "y\n"}, edit{"gone.go", "", ""}, edit{"new.go", "", "package a\n"}))
	for file, want := range map[string]bool{"a.go": true, "run.sh": false, "gone.go": false, "new.go": false, "other.go": false} {
		found, skipped, err := Comments(w, file)
		if err != nil || len(found) > 0 || len(skipped) > 0 != want {
			t.Errorf("%s: %v, %v, %v", file, found, skipped, err)
		}
	}
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, text, want string }{
		{"f.go", "package p\n\nfunc F[T any](a, b int, f func(x int) error, _ string, more ...int) (n int, err error) {}", "a b f more"},
		{"f.go", "package p\n\nfunc F(int, string) {}", ""},
		{"f.go", "package p\n\nvar F = 1", "none"},
		{"f.py", "@deco(a, b)\ndef f(self, x: int = 3, *, y: 'str, z' = None, **kw) -> int: ...", "self x y kw open"},
		{"f.py", "if a:\n    def f(a): ...\nelse:\n    def f(b): ...", "none"},
		{"f.ts", "export async function f(items: number[], { a, b }: { a: number, b: string }, max?: Map<string, number>, cb = () => 3, ...rest: any[]): void {}", "items max cb rest open"},
		{"f.ts", "export function m(this: C, q: string) {}", "q"},
		{"f.rs", "pub fn f<'a, T: Into<String>>(mut a: T, b: &'a [u8], c: Box<dyn Fn(i32) -> i32>) -> Result<(), E> where T: X {}", "a b c"},
		{"f.h", "int f(const char *a, int b[3], void (*cb)(int x), size_t);", "a b"},
		{"f.h", "int f(const char *a, ...);", "a open"},
		{"f.h", "extern int f;", "none"},
	} {
		var got signature
		ok := false
		for _, l := range languages.All() {
			if slices.Contains(l.Extensions(), path.Ext(test.file)) {
				f := l.Extract(t.Context(), test.file, []byte(test.text))
				got, ok = signatureOf(&f.Symbols[0])
			}
		}
		var names []string
		for _, p := range got.list {
			names = append(names, p.Name)
		}
		if got.open {
			names = append(names, "open")
		}
		if !ok {
			names = []string{"none"}
		}
		if s := strings.Join(names, " "); s != test.want {
			t.Errorf("%s has %q, want %q", test.text, s, test.want)
		}
	}
}

// TestHostileComments ends within seconds: as much is gone, and as much said of it, as a file can hold.
func TestHostileComments(t *testing.T) {
	t.Parallel()
	var list, said, functions strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&list, "aB%d int, ", i)
	}
	for i := range 60_000 {
		fmt.Fprintf(&said, " * @param aB%d is one\n", i)
	}
	for i := range 5000 {
		fmt.Fprintf(&functions, "\n// F%d is one.\nfunc F%d() { x() }\n", i, i)
	}
	for name, text := range map[string]string{
		"a.ts": "/**\n" + said.String() + " */\nexport function f(" + list.String() + "z) {}\n",
		"a.go": "package a\n\n//" + strings.ReplaceAll(said.String(), "\n", "\n//") + "\nfunc F(" + list.String() + "z int) {}\n",
		"b.go": "package a\n" + functions.String(),
	} {
		base := files{name: text}
		head := base.with(t, edit{name, "", strings.NewReplacer(list.String(), "", "func F1()", "func G1()").Replace(text)})
		found, _, err := Comments(changetest.Between(t, base, head), name)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %d, %v", name, len(found), err)
		}
	}
}
