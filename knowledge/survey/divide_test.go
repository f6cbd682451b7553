package survey

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/fact"
)

// documented is a module of TypeScript with one function, of which so many bytes are said.
func documented(name, category string, bytes int) string {
	tag := ""
	if category != "" {
		tag = " * @category " + category + "\n"
	}
	return "/**\n * " + strings.Repeat("x", bytes) + "\n" + tag + " */\nexport function " + name + "(): number { return 1 }\n"
}

// TestDivision checks that the division of modules into bundles and parts follows from their sizes, and that each changed fact is
// reported.
func TestDivision(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i, category := range []string{"Day Helpers", "Day Helpers", "Day Helpers", "", "Week", ""} {
		b.tree.files[fmt.Sprintf("src/f%d/index.ts", i)] = documented(fmt.Sprintf("f%d", i), category, 800)
	}
	b.tree.files["src/large/index.ts"] = documented("large", "Day Helpers", 3500)
	for i := range 6 {
		b.tree.files[fmt.Sprintf("cmd/p%d/p.go", i)] = "package p\n"
	}
	for i := range 40 {
		b.tree.files[fmt.Sprintf("other/d%d/e/f.py", i)] = "x = 1\n"
	}
	long := strings.Repeat("x", 236)
	for i := range 12 {
		b.tree.files[fmt.Sprintf("lib/part%02d.ts", i)] = documented("f", "", 3500)
		b.tree.files[fmt.Sprintf("%s/part%02d.ts", long, i)] = documented("f", "", 3500) // parts would have names that no file can have
	}
	b.run(t, true, func(t *testing.T, s *Survey) {
		for m, want := range map[string]string{
			"src/f0": "day-helpers", "src/f2": "day-helpers", "src/f3": "small", "src/f4": "small", "src/large": "", "cmd/p0": "", "lib": "", long: "",
		} {
			if got := s.division().Bundles[m].Name; got != want {
				t.Errorf("%s is in %q, want %q", m, got, want)
			}
		}
		if got := s.division().Parts[long]; got != nil {
			t.Errorf("%+v", got)
		}
		if got := len(s.division().Parts["lib"]); got != 2 {
			t.Errorf("lib has %d parts: %+v", got, s.division().Parts["lib"])
		}
		list, err := BundledOf(&recorder{t: t, survey: s}, Bundle{Dir: "src", Name: "day-helpers"})
		if err != nil || !slices.Equal(list, []string{"src/f0", "src/f1", "src/f2"}) {
			t.Errorf("%q, %v", list, err)
		}
	})
	b.tree.files["src/f1/index.ts"] = documented("f1", "Day Helpers", 3500) // too large now
	b.tree.files["lib/part00.ts"] = documented("f", "", 100)
	b.run(t, true, func(t *testing.T, s *Survey) {
		changed, _ := s.Changed()
		for _, f := range []fact.Fact{AllDivided, BundleFact("src/f1"), BundledFact(Bundle{Dir: "src", Name: "day-helpers"}), PartsFact("lib")} {
			if !slices.Contains(changed, f) {
				t.Errorf("%s is not told", f)
			}
		}
		if f := BundleFact("src/f3"); slices.Contains(changed, f) {
			t.Errorf("%s is told", f)
		}
	})
}
