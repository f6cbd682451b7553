package java_test

import (
	"context"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/java"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

const fixture = `/* Licence text. */
package com.x.shop;

import java.util.List;

/** Sums of money. */
public class Money {
    /** How many digits follow the point. */
    public static final int SCALE = 2;

    // ---- sums ----

    /** Adds up prices. */
    @Deprecated
    public long total(List<Long> prices) {
        // plain loop
        long sum = 0;
        for (long p : prices) {
            sum += p;
        }
        System.out.println("total: " + sum);
        return sum;
    }

    public String currency() {
        return "EUR";
    }

    int hidden(int a) {
        return a;
    }

    boolean tracing() {
        return System.getenv("SHOP_TRACE") != null;
    }
}
`

func TestConformance(t *testing.T) {
	t.Parallel()
	sourcetest.Run(t, sourcetest.Fixture{
		Language: java.Language{}, Path: "src/main/java/com/x/shop/Money.java", Base: fixture,
		Target: "Money.total", Other: "Money.currency", Const: "Money.SCALE", Hidden: "Money.hidden",
		Edits: map[string]sourcetest.Edit{
			"comment in a body":            {Old: "// plain loop", New: "/* a loop */ // as plain as can be"},
			"comment between declarations": {Old: "// ---- sums ----", New: "// ---- sums and more ----\n\n    /* really */"},
			"comment at the top":           {Old: "Licence text.", New: "Other licence text."},
			"blank lines":                  {Old: "        long sum = 0;\n", New: "\n\n        long sum = 0;\n\n"},
			"formatting":                   {Old: "total(List<Long> prices) {", New: "total(\n            List< Long > prices )\n    {"},
			"body":                         {Old: "sum += p;", New: "sum += 2 * p;"},
			"string literal":               {Old: `"total: "`, New: `"total:  "`},
			"doc comment":                  {Old: "Adds up prices.", New: "Adds up all prices."},
			"signature":                    {Old: "List<Long> prices", New: "List<Long> prices, boolean gross"},
			"result type":                  {Old: "public long total", New: "public double total"},
			"decorator":                    {Old: "@Deprecated", New: "@Deprecated(since = \"2\")"},
			"constant value":               {Old: "SCALE = 2", New: "SCALE = 3"},
			"hidden signature":             {Old: "hidden(int a)", New: "hidden(int a, int b)"},
			"target hidden":                {Old: "public long total", New: "long total"},
			"symbol added":                 {Old: "    int hidden", New: "    public void added() {}\n\n    int hidden"},
			"symbols swapped": {
				Old: "    public String currency() {\n        return \"EUR\";\n    }\n\n    int hidden(int a) {\n        return a;\n    }\n",
				New: "    int hidden(int a) {\n        return a;\n    }\n\n    public String currency() {\n        return \"EUR\";\n    }\n",
			},
			"import added":         {Old: "import java.util.List;", New: "import java.util.List;\nimport java.util.Map;"},
			"environment variable": {Old: "SHOP_TRACE", New: "SHOP_DEBUG"},
			"syntax error":         {Old: "            sum += p;\n        }\n", New: "            sum += p;\n"},
		},
		Without: map[string]string{"module doc": "the package is documented in package-info.java alone"},
	})
}

const badFixture = "package a;\npublic class A {\n    void f() {\n        if (x) {\n    }\n\n    public void g() {\n    }\n}\n"

// Files with a mistake keep the declarations around it, and the problem names the place.
func TestRecovery(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		src, problem string
		symbols      []string
	}{
		"brace missing":      {badFixture, "line 10: expected '}'", []string{"A", "A.f", "A.g"}},
		"brace too many":     {"class A {\n  void f() {\n    }\n  }\n  void g() {\n  }\n}\n", "line 7: unexpected '}'", []string{"A", "A.f", "A.g"}},
		"parenthesis":        {"class A {\n  void f() { g((1); }\n  void g() {}\n}", "line 2: expected ')'", []string{"A", "A.f", "A.g"}},
		"semicolon":          {"class A {\n  int a = 1\n  public void g() {}\n}", "line 3: expected ';'", []string{"A", "A.a", "A.g"}},
		"string":             {"class A {\n  String a = \"x;\n  void g() {}\n}", `line 2: expected " at the end of the literal`, []string{"A", "A.a"}},
		"text block":         {"class A {\n  void f() {}\n  String a = \"\"\"\n x;\n}", `line 3: expected """ at the end of the text block`, []string{"A", "A.f", "A.a"}},
		"comment":            {"class A {\n  void f() {}\n /* x\n}", "line 3: expected */ at the end of the comment", []string{"A", "A.f"}},
		"stray character":    {"class A {\n  # int a;\n  int b;\n}", "line 2: unexpected character '#'", []string{"A", "A.b"}},
		"statement":          {"class A {\n  return 1;\n  int b;\n}", `line 2: expected a declaration, not "return"`, []string{"A", "A.b"}},
		"no name":            {"class {\n  int b;\n}\nclass B {}", "line 1: expected the name of a type", []string{"B"}},
		"no body":            {"class A\nint b;\nclass B {}", "line 2: expected '{'", []string{"B"}},
		"import":             {"import a.b.C\nclass B {}", "line 2: expected ';'", []string{"B"}},
		"method without end": {"class A {\n  void f()\n  public void g() {}\n}", "line 3: expected '{' or ';'", []string{"A", "A.f", "A.g"}},
		"no result":          {"class A {\n  f() {}\n}", `line 2: expected a result type before "f"`, []string{"A", "A.f"}},
		"enum constant":      {"enum A {\n  X Y\n}\nclass B {}", "line 2: expected ',', ';' or '}' after an enum constant", []string{"A", "B"}},
		"only junk":          {"\x00\xff`)}]", "line 1: unexpected character '\\x00'", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := java.Language{}.Extract(context.Background(), "A.java", []byte(tc.src))
			sourcetest.CheckFile(t, f)
			if f.Problem != tc.problem {
				t.Errorf("problem %q, want %q", f.Problem, tc.problem)
			}
			found := map[string]bool{}
			for _, s := range f.Symbols {
				found[s.Name] = true
			}
			for _, want := range tc.symbols {
				if !found[want] {
					t.Errorf("%s is lost: %v", want, found)
				}
			}
		})
	}
}
