package golang_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/golang"
	"github.com/causaldocs/causal/knowledge/source/sourcetest"
)

// TestCourse checks that the course of a function has its own calls, without those in nested functions and in error branches.
func TestCourse(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"a(b())":                                                   "b a",
		"a(); func() { b() }()":                                    "a b",
		"go func() { a() }(); go b()":                              "a b",
		"each(func() { a() }); b()":                                "each b",
		"x := func() { a() }; a(); x()":                            "a",
		"defer a(); b()":                                           "b",
		"if err := a(); err != nil { b() } else { c() }":           "a c",
		"if err == nil { a() } else { b() }":                       "a",
		"return func() { a(func() { b() }) }":                      "a",
		"return wrap(func() { a() })":                              "a wrap",
		"return v.each(func() { a() })":                            "a V.each",
		"return wrap(wrap(func() { a() }))":                        "a wrap",
		"return T{func() { a() }}":                                 "",
		"if a() == nil { b(); return }; c()":                       "a b c",
		"if a() == nil { return b() }; c()":                        "a b c",
		"if a() == nil { c() } else { b(); panic(1) }":             "a c",
		"switch a() { case nil: b(); return; default: c() }":       "a b c",
		"if a() == nil { if b() == nil { c(); return } }":          "a b c",
		"switch a() { case nil: b(); return; case err: return c }": "a b",
		"switch a() { case nil: return b(); case err: return a(); default: c(); return }": "a b c",
		"switch { case a() == nil: return b(); case err == nil: c(); return }":            "a b c",
		"switch a().(type) { case T: return b(); case V: c(); panic(1) }":                 "a b c",
		"if a() == nil { b() }; return c":                                                 "a b",
		"for { if a() == nil { b(); break } }":                                            "a b",
		"if a() != nil { b() }":                                                           "a b",
		"if loadErr != nil { a(); return }; b()":                                          "b",
	} {
		src := "package p\nfunc a(...any) error { return nil }\nfunc b() error { return nil }\nfunc c() {}\nfunc each(func()) {}\nfunc wrap(func()) T { return T{} }\ntype T struct{ f func() }\nvar v V\ntype V struct{}\nfunc (V) each(func()) T { return T{} }\nvar err, loadErr error\nfunc f() any { " + body + " }\n"
		f, err := source.Extract(context.Background(), golang.Language{}, "p/p.go", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(f.Symbols, func(s source.Symbol) bool { return s.Name == "f" })
		own, _, _ := strings.Cut(sourcetest.Calls(f.Symbols[i].Body), "/")
		if got := strings.TrimSpace(own); got != want {
			t.Errorf("%s calls %s, want %s", body, got, want)
		}
	}
}
