package condition

import (
	"path"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestGlobMatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern  string
		matching []string
		not      []string
	}{
		{"a.go", []string{"a.go"}, []string{"b.go", "x/a.go", "a.go/x", ""}},
		{"internal/auth/*.go", []string{"internal/auth/a.go", "internal/auth/.go"}, []string{"internal/auth/x/a.go", "internal/auth"}},
		{"**", []string{"a", "a/b/c", ""}, nil},
		{"**/*.go", []string{"a.go", "x/a.go", "x/y/a.go"}, []string{"a.py", "a.go/b"}},
		{"docs/**", []string{"docs", "docs/a", "docs/a/b"}, []string{"doc", "docsx/a"}},
		{"docs/**/*.md", []string{"docs/a.md", "docs/x/y/a.md"}, []string{"a.md", "docs/a.txt"}},
		{"a/**/b/**/c", []string{"a/b/c", "a/x/b/y/z/c", "a/b/b/c", "a/b/x/b/c"}, []string{"a/c", "a/b", "a/c/b"}},
		{"**/b/*", []string{"b/x", "a/b/x", "b/b/x"}, []string{"b", "x/b"}},
		{"**/**/a", []string{"a", "x/a", "x/y/a"}, []string{"b"}},
		{"[a-c]?.go", []string{"ax.go", "bü.go"}, []string{"a.go", "dx.go", "a/.go"}},
		{"[^a].go", []string{"b.go"}, []string{"a.go"}},
		{`\*.go`, []string{"*.go"}, []string{"a.go"}},
		{`\[id\].tsx`, []string{"[id].tsx"}, []string{"i.tsx"}},
	}
	for _, tt := range tests {
		g, err := ParseGlob(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range tt.matching {
			if !g.Match(p) {
				t.Errorf("%s does not match %q", tt.pattern, p)
			}
		}
		for _, p := range tt.not {
			if g.Match(p) {
				t.Errorf("%s matches %q", tt.pattern, p)
			}
		}
	}
}

func TestZeroGlobMatchesEverything(t *testing.T) {
	t.Parallel()
	var g Glob
	if !g.Match("a/b") || g.String() != "**" {
		t.Errorf("zero Glob: %v %q", g.Match("a/b"), g)
	}
	if got := Modified(g).String(); got != `modified("**")` {
		t.Errorf("Modified = %s", got)
	}
}

func TestGlobErrors(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"", "/a", "a/", "a//b", ".", "./a", "a/..", "[", "a[", "[]", `a\`, "a**", "**a/b", "x/[a-/b", "\xff"} {
		if g, err := ParseGlob(pattern); err == nil {
			t.Errorf("ParseGlob(%q) = %v", pattern, g)
		}
	}
}

// TestGlobAgainstRegexp compares with regular expressions over paths with a slash after every segment, so that ** can
// be a group of whole segments.
func TestGlobAgainstRegexp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"**", "a", "b", "*", "a*", "*b", "?", "a?b", "*a*"}), 1, 5).Draw(t, "pattern")
		names := rapid.SliceOfN(rapid.StringMatching(`[ab]{1,3}`), 1, 6).Draw(t, "path")
		pattern, p := path.Join(parts...), path.Join(names...)
		g, err := ParseGlob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		want := regexp.MustCompile(segmentsPattern(parts)).MatchString(strings.Join(names, "/") + "/")
		if got := g.Match(p); got != want {
			t.Fatalf("%s matches %s: %v, want %v", pattern, p, got, want)
		}
	})
}

func segmentsPattern(parts []string) string {
	translate := strings.NewReplacer("*", "[^/]*", "?", "[^/]")
	expression := "^"
	for _, part := range parts {
		if part == "**" {
			expression += "([^/]*/)*"
			continue
		}
		expression += translate.Replace(part) + "/"
	}
	return expression + "$"
}

func TestPathGlob(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching(`[a-c*?\[\]\\^ü -]{1,6}`), 1, 4).Draw(t, "names")
		p := strings.Join(names, "/")
		g, err := PathGlob(p)
		if err != nil {
			t.Fatal(err)
		}
		if !g.Match(p) || g.Match(p+"x") || g.Match("x/"+p) {
			t.Fatalf("%s does not match exactly %q", g, p)
		}
	})
	g, err := PathGlob("caf\xe9/a.go")
	if err != nil || !g.Match("caf\xe9/a.go") {
		t.Errorf("a path that is not valid UTF-8: %v, %v", g, err)
	}
}

func TestGlobHostile(t *testing.T) {
	t.Parallel()
	g, err := ParseGlob(strings.Repeat("**/a*/", 50) + "z")
	if err != nil {
		t.Fatal(err)
	}
	if g.Match(strings.Repeat("aa/", 2000) + "y") {
		t.Error("matched")
	}
}
