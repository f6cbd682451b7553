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

func (p push) Modified(glob condition.Glob) (condition.Cause, bool) {
	for _, file := range p.files {
		if glob.Match(file) {
			return condition.Cause{File: file, Commit: p.commit}, true
		}
	}
	return condition.Cause{}, false
}

func (p push) SymbolChanged(module, name string) (condition.Cause, bool) {
	detail, changed := p.symbols[module+"."+name]
	return condition.Cause{Commit: p.commit, Detail: detail}, changed
}

func (p push) InterfaceChanged(string) (condition.Cause, bool)  { return condition.Cause{}, false }
func (p push) ConclusionChanged(string) (condition.Cause, bool) { return condition.Cause{}, false }
func (p push) Resolved(string) (condition.Cause, bool)          { return condition.Cause{}, false }
func (p push) GeneratorChanged() (condition.Cause, bool)        { return condition.Cause{}, false }
func (p push) DismissedShare(string) (float64, condition.Cause) { return 0.1, condition.Cause{} }
func (p push) UnseenDays(string) (float64, condition.Cause) {
	return 200, condition.Cause{Detail: "last applied on 2025-08-02"}
}

// A conclusion is checked against a push, and the answer says which term of its condition came true.
func Example() {
	c, err := condition.Parse(`modified("internal/cart/*.go") or symbol_changed("money", "Parse")`)
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
		condition.InterfaceChanged("db"),
		condition.SymbolChanged("money", "Parse"),
		condition.Modified(files),
		condition.InterfaceChanged("db"),
	))
	// Output:
	// modified("internal/cart/*.go") or symbol_changed("money", "Parse") or interface_changed("db")
}

// What is not in the vocabulary is refused, with its place and what to write instead.
func ExampleParse_error() {
	_, err := condition.Parse(`modified("auth.py") or dependency_changed("db")`)
	fmt.Println(err)
	// Output:
	// column 24: unknown word "dependency_changed" (allowed: modified(glob), symbol_changed(module, name), interface_changed(module), conclusion_changed(frame), resolved(finding), generator_changed(), dismissed_share(principle) > number, unseen_days(principle) > number; joined by and, or, not and parentheses)
}

// A `not` is explained by the terms that are false.
func ExampleCondition_Evaluate_not() {
	c, err := condition.Parse(`unseen_days("money-never-float") > 180 and not modified("docs/**")`)
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
	fmt.Println(condition.Modified(page))
	// Output:
	// pages/\[id].tsx true false
	// modified("pages/\\[id].tsx")
}
