package golang

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
)

var odd = []seed{
	edge("", "no text at all"), edge("a", "a letter"), edge("0", "a digit"), edge(" ", "a space"), edge("-1", "a number below zero"),
	edge("A b", "two words, the first with a capital"), edge("é", "a letter that is no ASCII"), edge("1.2", "a number with a point"),
	edge("a/b", "two parts with a slash"), edge("\x00", "a NUL"),
}

func (s *seeds) strings() []seed {
	out := slices.Clone(s.Texts)
	for _, x := range sorted(slices.Clone(s.Texts))[:min(len(s.Texts), 6)] {
		out = append(out, variants(x.Value.(string))...)
	}
	for _, n := range s.lengths {
		out = append(out, edge(filled(n), strconv.FormatInt(n, 10)+" bytes, a length that the code knows"))
	}
	return append(out, odd...)
}

var (
	separators = lazyregexp.New(`[.+:/,_@ -]`)
	digits     = lazyregexp.New(`\d+`)
)

// variants returns likely mistakes in a text: a part missing, repeated, or added.
func variants(text string) (out []seed) {
	if text == "" {
		return nil
	}
	add := func(other, why string) {
		if other != "" && other != text && len(other) <= longestSeed {
			out = append(out, edge(other, testgen.OneLine(strconv.Quote(text), 48)+" "+why))
		}
	}
	cuts := separators.FindAllStringIndex(text, -1)
	for i := len(cuts) - 1; i >= max(0, len(cuts)-4); i-- {
		add(text[:cuts[i][0]], "up to its "+ordinals[min(i, len(ordinals)-1)]+" separator")
	}
	_, last := utf8.DecodeLastRuneInString(text)
	_, first := utf8.DecodeRuneInString(text)
	add(text[:len(text)-last], "without its last character")
	add(text+"x", "with an x behind it")
	if len(cuts) > 0 {
		at := cuts[0]
		add(text[:at[0]]+text[at[0]:at[1]]+text[at[0]:], "with its first separator twice")
	}
	if at := digits.FindStringIndex(text); at != nil {
		add(text[:at[0]]+"0"+text[at[0]:], "with a zero before its number")
		add(text[:at[0]]+"99999999999999999999"+text[at[1]:], "with a number that is too large")
	}
	add(text[first:], "without its first character")
	add("-"+text, "with a minus before it")
	add(" "+text, "with a space before it")
	add(strings.ToUpper(text), "in capitals")
	add(text+text, "twice")
	return out
}

var ordinals = []string{"first", "second", "third", "fourth", "last"}
