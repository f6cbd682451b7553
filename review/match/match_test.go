package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// flag is a linter that dislikes each line with an exclamation mark.
func flag(path, text string) []finding.Finding {
	lines := change.Split([]byte(text))
	t := NewText(path, lines, "blob of "+text)
	var found []finding.Finding
	for i, line := range lines {
		if strings.Contains(line, "!") {
			f := finding.Finding{Rule: "lint/loud", Path: path, Line: i + 1, EndLine: i + 1, Side: finding.Right, Message: "Is loud."}
			t.Fill(&f)
			found = append(found, f)
		}
	}
	return found
}

func known(findings []finding.Finding) []Earlier {
	var out []Earlier
	for _, f := range findings {
		out = append(out, Earlier{Finding: f})
	}
	return out
}

// forgotten is a Mapper when the old versions cannot be read any more.
func forgotten(path, _ string) Version { return Version{Path: path} }

// told is a Mapper that knows two versions of one file.
func told(before, after, renamed string) Mapper {
	lines := change.Compare(change.Split([]byte(before)), change.Split([]byte(after)))
	return func(string, string) Version { return Version{Path: renamed, Lines: &lines} }
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, before, after, path string
		blind, seeing             string // the earlier finding of each present one, without and with the old version
	}{
		{"nothing", "a!", "a!", "f.js", "[0]", "[0]"},
		{"lines above", "f {\n a!\n}", "x\ny\nf {\n a!\n}", "f.js", "[0]", "[0]"},
		{"spaces", "f {\n a b!\n}", "f {\n  a  b!\n}", "f.js", "[0]", "[0]"},
		{"neighbours", "f {\n b\n a!\n c\n}", "f {\n x\n a!\n y\n}", "f.js", "[0]", "[0]"},
		{"the line", "f {\n a!\n}", "f {\n b!\n}", "f.js", "[0]", "[0]"},
		{"the declaration", "f {\n a!\n}", "g {\n a!\n}", "f.js", "[0]", "[0]"},
		{"the first of two equal ones went", "f {\n b\n a!\n c\n d\n a!\n e\n}", "f {\n b\n c\n d\n a!\n e\n}", "f.js", "[1]", "[1]"},
		{"the second of two equal ones went", "f {\n b\n a!\n c\n d\n a!\n e\n}", "f {\n b\n a!\n c\n d\n e\n}", "f.js", "[0]", "[0]"},
		{"one of two edited ones went", "f {\n abc!\n xyz!\n}", "f {\n xyy!\n}", "f.js", "[1]", "[1]"},
		{"declarations change places", "f {\n a!\n b\n}\ng {\n a!\n c\n}", "g {\n a!\n c\n}\nf {\n a!\n b\n}", "f.js", "[1 0]", "[1 0]"},
		{"renamed", "f {\n a!\n}", "x\nf {\n a!\n}", "g.js", "[0]", "[0]"},
		{"mended here, new there", "a\nb!\nc\nd\ne\nf\ng", "a\nb\nc\nd\ne\nx!\ng", "f.js", "[0]", "[-1]"},
		{"still there and not found, new below", "f {\n a!\n b\n}", "f {\n a\n b\n c!\n}", "f.js", "[0]", "[0]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			before, after := flag("f.js", test.before), flag(test.path, test.after)
			seeing := Match(known(before), after, told(test.before, test.after, test.path))
			if got := fmt.Sprint(seeing); got != test.seeing {
				t.Errorf("knowing the old version: %s, want %s", got, test.seeing)
			}
			blind := Match(known(before), after, func(string, string) Version { return Version{Path: test.path} })
			if got := fmt.Sprint(blind); got != test.blind {
				t.Errorf("not knowing it: %s, want %s", got, test.blind)
			}
		})
	}
}

// TestMatchBeyondTheFile: what moves to another file is itself; what is equal in another file is another finding as long as the
// first is there.
func TestMatchBeyondTheFile(t *testing.T) {
	t.Parallel()
	text := "f {\n b\n a!\n c\n}"
	gone := func(string, string) Version { return Version{} }
	if got := Match(known(flag("a/f.js", text)), flag("b/g.js", text), gone); got[0] != 0 {
		t.Error("a moved function's finding is a new one")
	}
	if got := Match(known(flag("a/f.js", text)), flag("b/g.js", text), told(text, text, "a/f.js")); got[0] != -1 {
		t.Error("the finding of a copy is that of the original")
	}
}

// TestMatchOfWhatIsOver: it comes back as itself where the code is the same, and never as another.
func TestMatchOfWhatIsOver(t *testing.T) {
	t.Parallel()
	over := known(flag("f.js", "f {\n a!\n}"))
	over[0].Over = true
	if got := Match(over, flag("f.js", "x\nf {\n a!\n}"), forgotten); got[0] != 0 {
		t.Error("what is there again is new")
	}
	if got := Match(over, flag("f.js", "f {\n b!\n}"), forgotten); got[0] != -1 {
		t.Error("another line of the function is what was fixed")
	}
	both := append(known(flag("f.js", "f {\n b!\n}")), over...)
	if got := Match(both, flag("f.js", "f {\n a!\n}"), forgotten); got[0] != 1 {
		t.Error("an edited line goes before the same line that is there again")
	}
}

// TestMatchByWhatItIsAbout: two of causal's own findings on one line are about different things, whatever the line.
func TestMatchByWhatItIsAbout(t *testing.T) {
	t.Parallel()
	text := "Call `A` and `B`!"
	of := func(symbols ...string) (list []finding.Finding) {
		for _, s := range symbols {
			f := flag("README.md", text)[0]
			f.Rule, f.Symbol, f.Message = "stale-reference", s, s+" is gone."
			list = append(list, f)
		}
		return list
	}
	if got := fmt.Sprint(Match(known(of("A", "B")), of("B", "C"), told(text, text, "README.md"))); got != "[1 -1]" {
		t.Error(got)
	}
}

// program draws a file of functions, in which lines repeat.
func program(t *rapid.T, label string) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"f {", "g {", "}", " a!", " b!", " c", " a! b", "", " d(1)"}), 0, 24).Draw(t, label)
}

// TestMatchIsOneToOne, and does not depend on the order in which a linter lists what it found.
func TestMatchIsOneToOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before, after := strings.Join(program(t, "before"), "\n"), strings.Join(program(t, "after"), "\n")
		old, now := known(flag("f.js", before)), flag("f.js", after)
		for i := range old {
			old[i].Over = rapid.Bool().Draw(t, "over")
		}
		became := rapid.SampledFrom([]Mapper{forgotten, told(before, after, "f.js")}).Draw(t, "mapper")
		of := Match(old, now, became)
		seen := map[int]bool{}
		for i, was := range of {
			if was >= 0 && (seen[was] || old[was].Rule != now[i].Rule) {
				t.Fatalf("%v", of)
			}
			seen[was] = true
		}
		turned := slices.Clone(now)
		slices.Reverse(turned)
		again := Match(old, turned, became)
		slices.Reverse(again)
		if !slices.Equal(of, again) {
			t.Fatalf("%v, in the other order %v", of, again)
		}
	})
}

// TestMatchKeepsWhatStays: whatever is inserted between lines, each finding of before is itself.
func TestMatchKeepsWhatStays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := program(t, "program")
		var longer []string
		var want []int
		for _, line := range append(slices.Clone(lines), "") {
			for n := range rapid.IntRange(0, 2).Draw(t, "more") {
				longer = append(longer, fmt.Sprintf(" new%d%d", len(longer), n))
			}
			if longer = append(longer, line); strings.Contains(line, "!") {
				want = append(want, len(want))
			}
		}
		before, after := strings.Join(lines, "\n"), strings.Join(longer, "\n")
		for _, became := range []Mapper{forgotten, told(before, after, "f.js")} {
			if got := Match(known(flag("f.js", before)), flag("f.js", after), became); len(got) != len(want) {
				t.Fatal("test bug")
			} else if slices.Contains(got, -1) {
				t.Fatalf("%v: a finding is new that was there before", got)
			}
		}
		if got := Match(known(flag("f.js", before)), flag("f.js", after), told(before, after, "f.js")); !slices.Equal(got, want) {
			t.Fatalf("%v", got)
		}
	})
}

// TestMatchOfMany: fifty thousand equal findings take no time that grows with their square.
func TestMatchOfMany(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(" a!\n", 50_000)
	found := flag("f.js", text)
	if got := Match(known(found), found, forgotten); slices.Contains(got, -1) {
		t.Error("some are new")
	}
	if got := Match(known(found), flag("f.js", strings.Repeat(" b!\n", 49_999)), forgotten); slices.Contains(got, -1) {
		t.Error("some are new that stand in the same file")
	}
}

func TestMint(t *testing.T) {
	t.Parallel()
	found := flag("f.js", "a!\na!")
	m := NewMinter("base", nil)
	m.Mint(&found[0])
	again := NewMinter("base", []string{found[0].ID})
	m.Mint(&found[1])
	one := found[0]
	again.Mint(&one)
	if found[0].ID == found[1].ID || one.ID != found[1].ID || !strings.HasPrefix(one.ID, "f-") {
		t.Errorf("%s, %s, and with the first taken %s", found[0].ID, found[1].ID, one.ID)
	}
	NewMinter("other base", nil).Mint(&one)
	if one.ID == found[0].ID {
		t.Error("two changes mint one id")
	}
}
