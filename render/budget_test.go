package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/render/pagecheck"
)

// drawModule draws a module around the sizes at which its page has to leave something out.
func drawModule(t *rapid.T) *node.Node {
	extension := rapid.SampledFrom([]string{".go", ".py", ".ts", ".java"}).Draw(t, "extension")
	n := &node.Node{
		Module: "drawn", Path: "drawn", Purpose: "Holds what was drawn.", PurposeFrom: node.FromDoc, Commit: headID,
		Language: map[string]string{".go": "go", ".py": "python", ".ts": "typescript", ".java": "java"}[extension], InvalidationCondition: `modified("drawn/*")`,
	}
	files := rapid.IntRange(1, 12).Draw(t, "files")
	for i := range files {
		n.Sources = append(n.Sources, node.Source{Path: fmt.Sprintf("drawn/file%02d%s", i, extension)})
	}
	long := rapid.SampledFrom([]int{0, 6, 24, 60}).Draw(t, "long")
	for i := range rapid.SampledFrom([]int{1, 30, 250, 500, 700}).Draw(t, "symbols") {
		s := node.Symbol{
			Name: fmt.Sprintf("Symbol%03d", i), Kind: []source.Kind{source.Func, source.Struct, source.Const}[i*7%3],
			File: fmt.Sprintf("file%02d%s", i*5%files, extension), At: headID, Lines: fmt.Sprintf("%d-%d", i, i+9),
		}
		s.Signature = "symbol " + s.Name + "(first, second string)"
		s.Doc = "It is number " + s.Name + "." + strings.Repeat(" It holds more words.", i%7*long/6)
		n.PublicAPI = append(n.PublicAPI, s)
	}
	if rapid.Bool().Draw(t, "at the border") {
		atTheBorder(n, rapid.SampledFrom([]int{-500, -50, -1, 0, 50, 500}).Draw(t, "beyond"))
	}
	return n
}

func sectionOf(p *page, e *entry) string {
	var b strings.Builder
	p.symbol(&b, e)
	return b.String()
}

// atTheBorder leaves as many symbols of a module as have room for their sections, and a few bytes.
func atTheBorder(n *node.Node, beyond int) {
	p := modulePage(Config{}, newOutline(n, undivided), &fakeGraph{})
	room := sectionsBytes + beyond
	n.PublicAPI = slices.DeleteFunc(n.PublicAPI, func(s node.Symbol) bool {
		if e := (&entry{Symbol: &s}); p.hasSection(e) {
			room -= weight(sectionOf(p, e))
		}
		return room < 0
	})
}

// lines counts the lines of a text by their content.
func lines(text string) map[string]int {
	out := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		out[line]++
	}
	return out
}

// changed is how many lines are in one text and not in the other.
func changed(a, b string) int {
	n := 0
	before, after := lines(a), lines(b)
	for line, count := range before {
		n += max(count-after[line], 0)
	}
	for line, count := range after {
		n += max(count-before[line], 0)
	}
	return n
}

const (
	// leastSection and mostLines are the least size of a section of a drawn module, and its greatest number of lines, with those of the
	// lists.
	leastSection = 150
	mostLines    = 16
)

// TestAnEditChangesItsOwnLines edits one symbol of a module of any size. The other changed lines are about as many as the edit adds or
// removes: no edit shortens other sections.
func TestAnEditChangesItsOwnLines(t *testing.T) {
	t.Parallel()
	config, g := newRepo(t, nil).config, &fakeGraph{}
	rapid.Check(t, func(t *rapid.T) {
		n := drawModule(t)
		before := pageOf(config, n, g, nil)
		edited := *n
		edited.PublicAPI = slices.Clone(n.PublicAPI)
		i := rapid.IntRange(0, len(n.PublicAPI)-1).Draw(t, "which")
		s := &edited.PublicAPI[i]
		sentences := rapid.SampledFrom([]int{1, 3, 30, 300, 3000}).Draw(t, "sentences")
		edit := rapid.SampledFrom([]string{"longer", "paragraphs", "gone", "new", "renamed"}).Draw(t, "edit")
		switch edit {
		case "longer":
			s.Doc += strings.Repeat(" It was made longer.", sentences)
		case "paragraphs":
			s.Doc += strings.Repeat("\n\nA paragraph more.", sentences)
		case "gone":
			s.Doc = ""
		case "new":
			edited.PublicAPI = append(edited.PublicAPI, node.Symbol{Name: "Another", Kind: s.Kind, File: s.File, Signature: "symbol Another()", Doc: "It is new."})
		case "renamed":
			s.Name = "Another"
		}
		after := pageOf(config, &edited, g, nil)

		own := func(s node.Symbol) (lines, size int) {
			text := sectionOf(modulePage(config, newOutline(n, undivided), g), &entry{Symbol: &s})
			return strings.Count(text, "\n"), weight(text)
		}
		linesBefore, sizeBefore := own(n.PublicAPI[i])
		linesAfter, sizeAfter := own(*s)
		moved := max(sizeBefore, sizeAfter)
		if edit == "longer" || edit == "paragraphs" {
			moved = sizeAfter - sizeBefore
		}
		most := linesBefore + linesAfter + (2+moved/leastSection)*mostLines
		if got := changed(before, after); got > most {
			t.Errorf("%d lines changed, at most %d may", got, most)
		}
	})
}

var destination = regexp.MustCompile(`\]\([^)#]*(#L[^)]*)?\)`)

// TestPlacesDoNotChangeWhatAPageSays renders modules before and after their links became permanent: a clean run knows
// other commits and lines than one that came step by step, and must say the same.
func TestPlacesDoNotChangeWhatAPageSays(t *testing.T) {
	t.Parallel()
	config, g := newRepo(t, nil).config, &fakeGraph{}
	rapid.Check(t, func(t *rapid.T) {
		n := drawModule(t)
		moved := *n
		moved.PublicAPI = slices.Clone(n.PublicAPI)
		for i := range moved.PublicAPI {
			if s := &moved.PublicAPI[i]; i%3 == 0 {
				s.At, s.Lines = "", ""
			} else {
				s.Lines = fmt.Sprintf("%d-%d", i*1000, i*1000+7)
			}
		}
		a, b := pageOf(config, n, g, nil), pageOf(config, &moved, g, nil)
		if a, b := destination.ReplaceAllString(a, "]()"), destination.ReplaceAllString(b, "]()"); a != b {
			t.Errorf("%d lines say something else", changed(a, b))
		}
	})
}

// TestLongSymbols cuts one symbol where it is too long, and says that there is more.
func TestLongSymbols(t *testing.T) {
	t.Parallel()
	n, g := largeModule("go", ".go", 12, 3)
	const one = 1 // a struct
	words := strings.Repeat("Many words stand here. ", 20)
	for name, c := range map[string]struct {
		edit func(n *node.Node, s *node.Symbol)
		want string
		most int
	}{
		"documentation": {func(_ *node.Node, s *node.Symbol) { s.Doc = strings.Repeat(words+"\n\n", 100) }, "[… The rest is in the source](", docBytes},
		"one paragraph": {func(_ *node.Node, s *node.Symbol) { s.Doc = strings.Repeat(words, 100) }, "[… The rest is in the source](", docBytes},
		"code": {func(_ *node.Node, s *node.Symbol) {
			s.Doc = "Run:\n\n" + strings.Repeat("\trun(this)\n\n\trun(that)\n", 2000)
		},
			"[… The rest is in the source](", docBytes},
		"declaration": {func(_ *node.Node, s *node.Symbol) {
			s.Signature = "type Symbol0001 struct {\n" + strings.Repeat("\tField string\n", 2000) + "}"
		}, "\n…\n```\n", signatureBytes},
		"members": {func(n *node.Node, s *node.Symbol) {
			for i := range 500 {
				name := fmt.Sprintf("%s.Method%03d", s.Name, i)
				n.PublicAPI = append(n.PublicAPI, node.Symbol{Name: name, Kind: source.Method, File: s.File, Signature: "func " + name + "()", Doc: "It is one of many."})
			}
		}, " more in [the knowledge node](", memberSectionsBytes + 2*memberBytes},
		"examples": {func(n *node.Node, s *node.Symbol) {
			for range 50 {
				n.Examples = append(n.Examples, node.Example{Symbol: s.Name, Code: strings.Repeat("show()\n", 100)})
			}
		}, "More examples in [the knowledge node](", exampleBytes},
	} {
		edited := *n
		edited.PublicAPI = slices.Clone(n.PublicAPI)
		c.edit(&edited, &edited.PublicAPI[one])
		before, after := pageOf(newRepo(t, nil).config, n, g, nil), pageOf(newRepo(t, nil).config, &edited, g, nil)
		if !strings.Contains(after, c.want) || strings.Contains(before, c.want) {
			t.Errorf("%s: the page does not say %q", name, c.want)
		}
		if more := len(after) - len(before); more <= 0 || more > c.most+1000 {
			t.Errorf("%s: the page got %d bytes longer", name, more)
		}
		if a, b := sectionsOf(before), sectionsOf(after); len(a) != len(b) {
			t.Errorf("%s: %d sections became %d", name, len(a), len(b))
		} else {
			for i := range a {
				if a[i] != b[i] && !strings.HasPrefix(b[i], "`Symbol0001`") {
					t.Errorf("%s changes another symbol:\n%s", name, b[i])
				}
			}
		}
		for _, p := range pagecheck.Check([]pagecheck.Page{{Path: "docs/causal/modules/services/backend/large.md", Content: []byte(after)}},
			func(string) bool { return true }) {
			t.Errorf("%s: line %d: %s", name, p.Line, p.What)
		}
	}
}

// sectionsOf are the sections of symbols.
func sectionsOf(text string) []string {
	text, _, _ = strings.Cut(text, "\n## Behaviour")
	return strings.Split(text, "\n### ")[1:]
}

// TestCrowdedOut renders more symbols than there is room for: the last ones keep the heading that links lead to.
func TestCrowdedOut(t *testing.T) {
	t.Parallel()
	n, g := largeModule("go", ".go", 1500, 1)
	text := pageOf(newRepo(t, nil).config, n, g, nil)
	whole := 0
	for _, section := range sectionsOf(text) {
		if strings.Contains(section, "```") {
			whole++
		}
	}
	if whole == 0 || whole >= 400 {
		t.Errorf("%d whole sections", whole)
	}
	brief := strings.Count(text, "\nDoes one thing of many.\n\n[… The rest is in the source](")
	bare := len(sectionsOf(text)) - whole - brief
	if want := fmt.Sprintf("\nThe text of the last %d sections is left out for length", bare); brief == 0 || !strings.Contains(text, want) {
		t.Errorf("%d brief sections, and the page does not say %q", brief, want)
	}
	rows := 0
	for _, s := range n.PublicAPI {
		row := strings.Contains(text, "\n- [`"+s.Name+"`](#"+strings.ToLower(s.Name)+")")
		if row {
			rows++
		}
		if row && !strings.Contains(text, "\n### `"+s.Name+"`") {
			t.Errorf("the list links to %s, which has no section", s.Name)
		}
	}
	if rows == len(n.PublicAPI) || !strings.Contains(text, "More symbols: see [the knowledge node]") {
		t.Errorf("%d rows, and the page does not say that there are more", rows)
	}
}

func TestWeight(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "words": 5, "[a](b)": len("[a)") + linkBytes, "[a](#b)": len("[a#b)"), "[a](x) and [b](y)": len("[a) and [b)") + 2*linkBytes, "a](b": len("ab"),
	} {
		if got := weight(text); got != want {
			t.Errorf("%q weighs %d, want %d", text, got, want)
		}
	}
}
