package markdown

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// drawText draws text of what hostile comments are made of.
func drawText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 10).Draw(t, "text"), "")
}

var (
	issue       = regexp.MustCompile(`(?i)#[0-9]|gh-[0-9]`)
	machine     = regexp.MustCompile(`(?i)://|www\.|mailto:|xmpp:|tel:`)
	orderedMark = regexp.MustCompile(`^[0-9]{1,9}[.)]$`)
	ruleMark    = regexp.MustCompile(`^[-+=:]*$`)
)

// spaces matches what squeeze makes one space.
var spaces = regexp.MustCompile(`[\s\p{Z}\x{85}\v]+`)

// TestCleanTextStaysAsItIs holds what is asked to be spared work to what that work would do.
func TestCleanTextStaysAsItIs(t *testing.T) {
	t.Parallel()
	for r := range rune(0x3000) {
		if s := string(r); isClean(s) && scrub(s) != s {
			t.Errorf("%q is clean, and becomes %q", s, scrub(s))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t)
		if scrubbed := scrub(s); isClean(s) && scrubbed != s {
			t.Fatalf("%q is clean, and becomes %q", s, scrubbed)
		}
		s = strings.ToValidUTF8(s, "?")
		if got, want := squeeze(s), spaces.ReplaceAllString(s, " "); got != want {
			t.Fatalf("squeeze(%q) = %q, want %q", s, got, want)
		}
	})
}

// escapeEach is escapeChars without a thought for speed.
func escapeEach(word string) string {
	var b strings.Builder
	for i := range len(word) {
		next := word[i+1:] + " "
		switch c := word[i]; {
		case c == '<' || c == '~' || c == '&' && (next[0] == '#' || isWordByte(next[0])):
			b.WriteString(names[c])
		case strings.IndexByte(markChars, c) >= 0 || c == '_' && !insideWord(word, i) || c == '!' && next[0] == '[':
			b.WriteString(`\` + word[i:i+1])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// TestWords holds what is asked of every word to the patterns and the escapes that it stands for.
func TestWords(t *testing.T) {
	t.Parallel()
	parts := []string{"", "#", "1", "gh", "GH-", "-", "www", "WwW", ".", "mailto", "XMPP", "tel", ":", "/", "@", "\u212a", "a1b2c3d", "_", "&", "!", "[", "é", "~", "<", "`", "$", ")", "12345678", "+", "="}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				checkWord(t, a+b+c)
			}
		}
	}
}

func checkWord(t *testing.T, word string) {
	if hasIssue(word) != issue.MatchString(word) || hasAddress(word) != machine.MatchString(word) {
		t.Errorf("%q: issue %t, address %t", word, hasIssue(word), hasAddress(word))
	}
	if isOrderedMark(word) != orderedMark.MatchString(word) || isRuleMark(word) != ruleMark.MatchString(word) {
		t.Errorf("%q: mark of a list %t, of a rule %t", word, isOrderedMark(word), isRuleMark(word))
	}
	var b strings.Builder
	escapeChars(&b, word, false)
	if b.String() != escapeEach(word) {
		t.Errorf("%q is escaped as %q, not as %q", word, b.String(), escapeEach(word))
	}
	if isHarmless(word) && (risky(word) || b.String() != word) {
		t.Errorf("%q is not harmless", word)
	}
}

// TestNormalTextStaysAsItIs holds isNormal to what merging makes of the same pieces.
func TestNormalTextStaysAsItIs(t *testing.T) {
	t.Parallel()
	all := []inline{}
	for _, kind := range []inlineKind{plainText, codeText, strongText, emphText} {
		for _, s := range []string{"", " ", "a", " a", "a ", "a  b", "a\nb", "\u00a0", "é", "a\u2003b"} {
			all = append(all, inline{kind, s})
		}
	}
	for _, a := range all {
		checkNormal(t, a)
		for _, b := range all {
			checkNormal(t, a, b)
			for _, c := range all {
				checkNormal(t, a, b, c)
			}
		}
	}
}

func checkNormal(t *testing.T, in ...inline) {
	out := trimEnds(merge(in))
	if isNormal(in) && !slices.Equal(in, out) {
		t.Errorf("%v is normal, and becomes %v", in, out)
	}
	if again := normalise(out); !slices.Equal(out, again) {
		t.Errorf("%v changes to %v when repeated", out, again)
	}
}

// TestParagraphOfGo compares comments that are not parsed with what the parser makes of them.
func TestParagraphOfGo(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "b ", "\n", "'", "[", "]", "}", "{", "`", "\\", "- x", "1. x", "\t", " ", "http://x.y/z", "\u00a0", "é", "Word", "#", ":", "=", "---", "…"}
	rapid.Check(t, func(t *rapid.T) {
		doc := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "doc"), "")
		blocks := parseGo(doc)
		if isGoParagraph(doc) && (len(blocks) != 1 || blocks[0].kind != paragraph || !slices.Equal(normalise(blocks[0].text), normalise(text(doc)))) {
			t.Fatalf("%q is parsed as %v", doc, blocks)
		}
	})
}

func TestSlugOfASCII(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxASCII + 1) {
		want := r == ' ' || r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic)
		if kept := Slug(string(r)) != ""; kept != want {
			t.Errorf("%q is kept: %t", r, kept)
		}
	}
}

// TestFenceKeepsTheLines compares with a fence that is made line by line.
func TestFenceKeepsTheLines(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		code := drawText(t)
		lines, longest := strings.Split(disarm(clean(code)), "\n"), 2
		for i, line := range lines {
			lines[i] = strings.TrimRight(line, " \t")
			longest = max(longest, runLength(strings.TrimLeft(line, " \t"), '`'))
		}
		mark := strings.Repeat("`", longest+1)
		want := mark + "go\n"
		for _, line := range trimBlank(lines) {
			want += line + "\n"
		}
		if got := Fence("go", code); got != want+mark {
			t.Fatalf("Fence(%q) = %q, want %q", code, got, want+mark)
		}
	})
}

// TestBullets holds what is asked of every line to the pattern alone.
func TestBullets(t *testing.T) {
	t.Parallel()
	parts := []string{"", " ", "   ", "-", "*", "_", "+", "1", "23.", ")", ".", "a"}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				if line := a + b + c; isBullet(line) != bullet.MatchString(line) {
					t.Errorf("%q: %t", line, isBullet(line))
				}
			}
		}
	}
}

// TestProseIsNotParsed compares text that is not parsed with what each parser makes of it.
func TestProseIsNotParsed(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "b ", "\n", "\n\n", "é", "1.", "#", ">", "-", "+", "=", "~", ":", "!", "]", "(x)", "}", "/", "$", ".", "\u00a0", "    ", "www.x.y", "https://x.y/z"}
	rapid.Check(t, func(t *rapid.T) {
		doc := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "doc"), "")
		lines := dedentAll(splitLines(doc))
		if !isProse(lines) {
			return
		}
		for m := range parsers {
			parsed, prose := blockReader{manner: manner(m)}.parse(lines), paragraphs(lines)
			if !slices.EqualFunc(parsed, prose, func(a, b block) bool {
				return a.kind == paragraph && b.kind == paragraph && slices.Equal(normalise(a.text), normalise(b.text))
			}) {
				t.Fatalf("%q is parsed as %v, not as %v", doc, parsed, prose)
			}
		}
	})
}

// TestTextWithoutMarksIsNotTranslated compares with a translation character by character.
func TestTextWithoutMarksIsNotTranslated(t *testing.T) {
	t.Parallel()
	parts := []string{"a", "\n", "\n  ", "\t", "é", ">", "}", "&", "*", "_", "[x]", "!", "/", "-->", "$"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(t, "text"), "")
		each := translator{s: s, dialect: dialect{braces: true, doxygen: true}, missing: map[string]bool{}}
		for each.i < len(s) {
			each.step()
		}
		if got := translate(s, each.dialect); got != each.out.String() {
			t.Fatalf("%q becomes %q, want %q", s, got, each.out.String())
		}
	})
}
