package condition_test

import (
	"fmt"

	"github.com/causaldocs/causal/knowledge/condition"
)

// push is what is known of one push: who uses the package answers the words from whatever it has.
type push struct {
	commit  string
	files   []string
	symbols map[string]string // "module.name" of what changed, with what happened to it
}

var words = condition.NewVocabulary(
	condition.Word{Name: "modified", Params: []string{condition.GlobParam}},
	condition.Word{Name: "symbol_changed", Params: []string{"module", "name"}},
	condition.Word{Name: "interface_changed", Params: []string{"module"}},
	condition.Word{Name: "unseen_days", Params: []string{"principle"}, Numeric: true},
)

func (p push) Answer(q condition.Question) condition.Answer {
	switch q.Word {
	case "modified":
		for _, file := range p.files {
			if q.Glob.Match(file) {
				return condition.Answer{Holds: true, Cause: condition.Cause{File: file, Commit: p.commit}}
			}
		}
	case "symbol_changed":
		detail, changed := p.symbols[q.Args[0]+"."+q.Args[1]]
		return condition.Answer{Holds: changed, Cause: condition.Cause{Commit: p.commit, Detail: detail}}
	case "unseen_days":
		return condition.Answer{Number: 200, Cause: condition.Cause{Detail: "last applied on 2025-08-02"}}
	}
	return condition.Answer{}
}

// A conclusion is checked against a push, and the answer says which term of its condition came true.
func Example() {
	c, err := words.Parse(`modified("internal/cart/*.go") or symbol_changed("money", "Parse")`)
	if err != nil {
		fmt.Println(err)
		return
	}
	result := c.Evaluate(push{
		commit:  "4c1f0aa",
		files:   []string{"internal/money/money.go"},
		symbols: map[string]string{"money.Parse": "Parse gained a parameter"},
	})
	fmt.Println("stale:", result.Holds)
	for _, term := range result.Because {
		fmt.Printf("%s: %s in %s\n", term.Expression, term.Cause.Detail, term.Cause.Commit)
	}
	// Output:
	// stale: true
	// symbol_changed("money", "Parse"): Parse gained a parameter in 4c1f0aa
}

// Conditions are derived from what a conclusion rests on. Any sorts and drops duplicates, so that the same evidence
// always gives the same text.
func ExampleAny() {
	files, err := condition.ParseGlob("internal/cart/*.go")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(condition.Any(
		words.Call("interface_changed", "db"),
		words.Call("symbol_changed", "money", "Parse"),
		words.Call("modified", files.String()),
		words.Call("interface_changed", "db"),
	))
	// Output:
	// modified("internal/cart/*.go") or symbol_changed("money", "Parse") or interface_changed("db")
}

// What is not in the vocabulary is refused, with its place and what to write instead.
func ExampleVocabulary_Parse_error() {
	_, err := words.Parse(`modified("auth.py") or dependency_changed("db")`)
	fmt.Println(err)
	// Output:
	// column 24: unknown word "dependency_changed" (allowed: modified(glob), symbol_changed(module, name), interface_changed(module), unseen_days(principle) > number; joined by and, or, not and parentheses)
}

// A `not` is explained by the terms that are false.
func ExampleCondition_Evaluate_not() {
	c, err := words.Parse(`unseen_days("money-never-float") > 180 and not modified("docs/**")`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, term := range c.Evaluate(push{files: []string{"main.go"}}).Because {
		fmt.Println(term.Expression, "-", term.Cause.Detail)
	}
	// Output:
	// unseen_days("money-never-float") > 180 - last applied on 2025-08-02
	// not modified("docs/**") -
}

// A path can hold characters that mean something in a glob; PathGlob takes them as they are.
func ExamplePathGlob() {
	page, err := condition.PathGlob("pages/[id].tsx")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page, page.Match("pages/[id].tsx"), page.Match("pages/i.tsx"))
	fmt.Println(words.Call("modified", page.String()))
	// Output:
	// pages/\[id].tsx true false
	// modified("pages/\\[id].tsx")
}
