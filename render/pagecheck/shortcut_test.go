package pagecheck

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// eachText makes all texts of up to n of some parts.
func eachText(n int, parts string, check func(text string)) {
	texts := []string{""}
	for range n {
		next := []string{""}
		for _, text := range texts {
			for _, part := range strings.Split(parts, "|") {
				next = append(next, text+part)
			}
		}
		texts = next
	}
	for _, text := range texts {
		check(text)
	}
}

var (
	atx    = regexp.MustCompile(`^ {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	idAt   = regexp.MustCompile(`^` + idForm)
	setext = regexp.MustCompile(`^ {0,3}(?:=+|-+)[ \t]*$`)
)

// TestLines compares the line scanner with equivalent regular expressions.
func TestLines(t *testing.T) {
	t.Parallel()
	eachText(6, " |  |\t|#|##|a|=|-|###", func(line string) {
		m := atx.FindStringSubmatch(line)
		text, ok := cutHeading(line)
		if ok != (m != nil) || ok && text != m[1] {
			t.Errorf("%q is a heading: %t, with %q; the pattern says %q", line, ok, text, m)
		}
		if isUnderline(line) != setext.MatchString(line) {
			t.Errorf("%q is an underline: %t", line, isUnderline(line))
		}
	})
	eachText(5, "```|`|~~~|~| |>|- |a", func(line string) {
		m := fenceOpen.FindStringSubmatch(line)
		want := m != nil && (m[1][0] == '~' || !strings.Contains(m[2], "`"))
		if mark, info, ok := cutFence(line); ok != want || ok && (mark != m[1] || info != m[2]) {
			t.Errorf("%q opens a fence: %t, with %q and %q; the pattern says %q", line, ok, mark, info, m)
		}
	})
}

func TestDestinations(t *testing.T) {
	t.Parallel()
	eachText(6, `a|(|)|<|>| |"|\`, func(text string) {
		m := inlineDest.FindStringSubmatch("(" + text)
		dest, ok := cutDest("(" + text)
		if ok != (m != nil) || ok && dest != m[1]+m[2] {
			t.Errorf("(%s leads to %q: %t; the pattern says %q", text, dest, ok, m)
		}
	})
}

// TestNodes compares the node scanner with regular expressions of the full forms.
func TestNodes(t *testing.T) {
	t.Parallel()
	eachText(4, "a|B1|_|1|-|é", func(text string) {
		if want := idAt.FindString(text); cutID(text) != want {
			t.Errorf("%q begins with %q, want %q", text, cutID(text), want)
		}
	})
	eachText(7, "[|]|\"|a|(|)", func(text string) {
		m := shapeAt.FindStringSubmatch(text)
		label, rest, ok := cutShape(text)
		if ok != (m != nil) || ok && (label != strings.Join(m[1:], "") || rest != text[len(m[0]):]) {
			t.Errorf("%q has a shape: %t, with %q before %q; the pattern says %q", text, ok, label, rest, m)
		}
	})
}

// TestCodeSpans compares with a list of all runs of backticks.
func TestCodeSpans(t *testing.T) {
	t.Parallel()
	eachText(8, "`|``|\\|a", func(text string) {
		var got [][2]int
		for from, to := range codeSpans(text) {
			got = append(got, [2]int{from, to})
		}
		if want := spansByRuns(text); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	})
}

func spansByRuns(text string) (spans [][2]int) {
	runs := regexp.MustCompile("`+").FindAllStringIndex(text, -1)
	for i := 0; i < len(text); {
		n := runLength(text[i:], '`')
		closing := slices.IndexFunc(runs, func(r []int) bool { return r[0] >= i+n && r[1]-r[0] == n })
		switch {
		case text[i] == '\\':
			i += 2
		case n > 0 && closing >= 0:
			spans = append(spans, [2]int{i, runs[closing][1]})
			i = runs[closing][1]
		default:
			i += max(n, 1)
		}
	}
	return spans
}
