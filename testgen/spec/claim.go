package spec

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

const longestClaims = 16 << 10

const (
	literalText = `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`[^`\n]*`" + `|“[^”\n]*”`
	// resultText requires the end of a clause: "Bug(2, 2) is 4 bytes long" states no result.
	resultText = `(` + literalText + `|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|(?i:true|false)|nil|None|null|(?:an? )?(?:errors?|exception)|invalid|refused|rejected)(?:$|\n|[.,;:)!?](?:$|\s)|\s+(?:and|but|because|since|while|not)\b)`
	leads      = `\s*(?:(?:is|are|equals?|returns?|gives?|yields?|becomes?|throws?|raises?|evaluates to|==?|=>|->|→)\s+(?:always\s+)?)`
)

var (
	statedResult = lazyregexp.New(`^` + "[`\"”]?" + leads + resultText)
	quotedInput  = lazyregexp.New(`(?:` + literalText + `)`)
	moreInputs   = lazyregexp.New(`^(?:,? (?:or|and) |, )(?:` + literalText + `)`)
)

// Contradicted returns the result that documentation states for a case if it differs from the case's result, such as
// "Bug(2, 2) is 4" for a case with 6; otherwise an empty string.
func Contradicted(doc, symbol string, c *Case) string {
	if c.Want == nil || len(c.Args) == 0 || doc == "" {
		return ""
	}
	doc = doc[:min(len(doc), longestClaims)]
	name := symbol[strings.LastIndexByte(symbol, '.')+1:]
	args := plainArgs(ArgsText(c))
	for at := 0; ; {
		i := strings.Index(doc[at:], name+"(")
		if i < 0 {
			break
		}
		before, _ := utf8.DecodeLastRuneInString(doc[:at+i])
		if at += i + len(name) + 1; unicode.IsLetter(before) || before == '_' {
			continue
		}
		line, _, _ := strings.Cut(doc[at:], "\n")
		end := ClosingBracket(line)
		if end >= 0 && plainArgs(doc[at:at+end]) == args {
			if said := differs(statedResult.FindStringSubmatch(doc[at+end+1:]), c.Want); said != "" {
				return said
			}
		}
	}
	in, isText := c.Args[0].Value.(string)
	if len(c.Args) > 1 || !isText {
		return ""
	}
	for _, m := range quotedInput.FindAllStringIndex(doc, -1) {
		if bare(doc[m[0]:m[1]]) != in {
			continue
		}
		rest := doc[m[1]:]
		for m := moreInputs.FindStringIndex(rest); m != nil; m = moreInputs.FindStringIndex(rest) {
			rest = rest[m[1]:]
		}
		if said := differs(statedResult.FindStringSubmatch(strings.TrimPrefix(rest, ",")), c.Want); said != "" {
			return said
		}
	}
	return ""
}

var wordsOfErrors = lazyregexp.New(`error|exception|invalid|refused|rejected`)

func differs(m []string, w *Want) string {
	if m == nil {
		return ""
	}
	said := m[1]
	quoted := strings.ContainsAny(said[:1], "\"'`“")
	if !quoted && wordsOfErrors.MatchString(said) {
		if w.Error {
			return ""
		}
		return said
	}
	if w.Error {
		return said
	}
	text := bare(said)
	if inner := bare(text); said[0] == '`' && inner != text { // code that contains a quoted text
		text = inner
	}
	if w.StringOf != nil {
		return unless(text == *w.StringOf, said)
	}
	if len(w.Values) != 1 {
		return ""
	}
	switch v := w.Values[0].Value.(type) {
	case string:
		return unless(text == v || !quoted, said)
	case bool:
		return unless(strings.EqualFold(text, strconv.FormatBool(v)), said)
	case int64, uint64, float64:
		is, err := strconv.ParseFloat(flow(v), 64)
		stated, wrong := strconv.ParseFloat(text, 64)
		return unless(err != nil || wrong != nil || is == stated, said)
	}
	return ""
}

func unless(same bool, said string) string {
	if same {
		return ""
	}
	return said
}

func bare(text string) string {
	if unquoted, err := strconv.Unquote(text); err == nil {
		return unquoted
	}
	for _, pair := range []string{`""`, "''", "``", "“”"} {
		open, shut := pair[:len(pair)/2], pair[len(pair)/2:]
		if len(text) >= len(pair) && strings.HasPrefix(text, open) && strings.HasSuffix(text, shut) {
			return text[len(open) : len(text)-len(shut)]
		}
	}
	return text
}

// plainArgs normalizes spacing, quotes and constants, which differ between languages.
func plainArgs(text string) string {
	text = quotedInput.ReplaceAllStringFunc(text, func(s string) string { return strconv.Quote(bare(s)) })
	var b strings.Builder
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 0 {
			part = strings.NewReplacer(" ", "", "True", "true", "False", "false", "None", "null", "nil", "null").Replace(part)
		}
		b.WriteString(part + `"`)
	}
	return b.String()
}

// ClosingBracket returns the index of the bracket that closes the group that text starts in, or -1.
func ClosingBracket(text string) int {
	deep := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"', '\'', '`':
			m := quotedInput.FindStringIndex(text[i:])
			if m == nil || m[0] != 0 {
				return -1
			}
			i += m[1] - 1
		case '(':
			deep++
		case ')':
			if deep == 0 {
				return i
			}
			deep--
		}
	}
	return -1
}
