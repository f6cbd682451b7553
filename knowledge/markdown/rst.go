package markdown

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

var fieldKinds = map[string]section{
	"param": {parameters, named}, "parameter": {parameters, named}, "arg": {parameters, named}, "argument": {parameters, named},
	"key": {parameters, named}, "keyword": {parameters, named}, "kwarg": {parameters, named},
	"var": {attributes, named}, "ivar": {attributes, named}, "cvar": {attributes, named},
	"raises": {"Raises", listed}, "raise": {"Raises", listed}, "except": {"Raises", listed}, "exception": {"Raises", listed},
	"return": {"Returns", prose}, "returns": {"Returns", prose}, "rtype": {"Return type", typed},
	"yield": {"Yields", prose}, "yields": {"Yields", prose}, "type": {"", dropped}, "vartype": {"", dropped}, "meta": {"", dropped},
}

// fields reads a run of ":name argument: text", joining ":type x:" to ":param x:".
func (r pythonReader) fields(lines []string, i, depth int) ([]block, int) {
	types, spoken, end := fieldTypes(lines, i)
	var out []block
	lists := map[string]int{}
	for i < end {
		m := rstField.FindStringSubmatch(lines[i])
		if m == nil {
			i++
			continue
		}
		body, next := indentedBody(lines, i+1, 0)
		body = trimBlank(append([]string{m[3]}, body...))
		i = next
		s, known := fieldKinds[strings.ToLower(m[1])]
		switch {
		case s.kind == dropped && known:
			if strings.HasSuffix(m[1], "type") && !spoken[m[2]] {
				out = append(out, membersOf(parameters, member{names: m[2], kind: types[m[2]]}))
			}
		case s.kind == named && known:
			of := fieldMember(m[2], types)
			of.about = r.deeper(body, depth)
			out = append(out, membersOf(s.title, of))
		case s.kind == listed && known:
			at, seen := lists[s.title]
			if !seen {
				out = append(out, labelled(s.title, nil)...)
				at = len(out)
				lists[s.title] = at
				out = append(out, block{kind: list})
			}
			out[at].items = append(out[at].items, item(fieldMember(m[2], types).head(), r.deeper(body, depth)))
		case s.kind == typed && known:
			out = append(out, labelled(s.title, []block{para([]inline{{codeText, plainType(joinLines(body))}})})...)
		default:
			if !known {
				s.title = strings.ToUpper(m[1][:1]) + strings.TrimSpace(m[1][1:]+" "+m[2])
			}
			field := labelled(s.title, r.deeper(body, depth))
			if !known {
				field = beside(field)
			}
			out = append(out, field...)
		}
	}
	return gather(out), end
}

func (r pythonReader) deeper(lines []string, depth int) []block {
	if depth >= maxDepth {
		return []block{para(readRST(joinLines(lines)))}
	}
	return r.blocks(lines, depth+1)
}

func fieldTypes(lines []string, i int) (types map[string]string, spoken map[string]bool, end int) {
	types, spoken = map[string]string{}, map[string]bool{}
	for i < len(lines) {
		if lines[i] == "" {
			if !rstField.MatchString(nextText(lines, i)) {
				break
			}
			i++
			continue
		}
		m := rstField.FindStringSubmatch(lines[i])
		if m == nil {
			break
		}
		body, next := indentedBody(lines, i+1, 0)
		if kind := strings.ToLower(m[1]); kind == "type" || kind == "vartype" {
			types[m[2]] = plainType(joinLines(append([]string{m[3]}, body...)))
		} else {
			spoken[m[2]] = true
		}
		i = next
	}
	return types, spoken, i
}

func fieldMember(argument string, types map[string]string) member {
	words := strings.Fields(argument)
	if len(words) == 0 {
		return member{}
	}
	name := words[len(words)-1]
	kind := strings.Join(words[:len(words)-1], " ")
	if kind == "" {
		kind = types[argument]
	}
	return member{names: strings.TrimPrefix(strings.ReplaceAll(name, "`", ""), `\`), kind: kind}
}

var roleMark = lazyregexp.New("^:[A-Za-z][A-Za-z0-9:_-]*:`")

func plainType(s string) string {
	if strings.Contains(s, "`") {
		s = rawText(readRST(s))
	}
	if strings.Contains(s, "~") {
		s = tilde.ReplaceAllString(s, "$1")
	}
	return s
}

// tilde matches a dotted name of which only the last part is shown.
var tilde = lazyregexp.New(`~(?:\w+\.)*(\w+)`)

var rstLink = lazyregexp.New(`^(.*?)\s*<(.*)>$`)

// readRST reads the marks inside a paragraph: “code“, *emphasis*, **strong**, :role:`target`, `text <address>`_, and
// Markdown links.
func readRST(s string) []inline {
	if strings.Contains(s, "]_") {
		s = footnoteUse.ReplaceAllString(s, "$1")
	}
	if plainLength(s, &rstMarks) == len(s) || len(s) > longest {
		return text(s)
	}
	t := tree{source: []byte(s)}
	return t.inlines(rstParser.Parse(gmtext.NewReader(t.source)).FirstChild())
}

// footnoteUse matches a reference to a footnote; the underscore is not shown.
var footnoteUse = lazyregexp.New(`((?:^|[\s(])\[[#*\w.-]+\])_\b`)

var rstMarks = bytesOf("\\`[<&*_|")

// rstParser reads one paragraph with any first characters.
var rstParser = parser.NewParser(
	parser.WithBlockParsers(util.Prioritized(anywhere{parser.NewParagraphParser()}, 1000)),
	parser.WithInlineParsers(
		util.Prioritized(interpreted{}, 100), util.Prioritized(substitution{}, 100), util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300), util.Prioritized(parser.NewEmphasisParser(), 500)),
)

type interpreted struct{}

func (interpreted) Trigger() []byte { return []byte{':', '`'} }

func (interpreted) Parse(_ ast.Node, text gmtext.Reader, _ parser.Context) ast.Node {
	line, _ := text.PeekLine()
	role := len(roleMark.Find(line[:min(len(line), 60)])) // with the backtick
	if line[0] == ':' && role == 0 {
		return nil
	}
	named := role > 0
	mark := max(role-1, 0)
	width := runLength(line[mark:], '`')
	start := mark + width
	end := closingRun(line[start:], width)
	if end < 0 {
		text.Advance(start)
		return ast.NewString(line[:start])
	}
	inner := string(line[start : start+end])
	next := start + end + width
	linked := runLength(line[next:], '_')
	text.Advance(next)
	if width == 1 && (named || linked > 0) {
		if m := rstLink.FindStringSubmatch(inner); m != nil {
			text.Advance(linked)
			return ast.NewString([]byte(withAddress(m[1], m[2])))
		}
	}
	if width == 1 && linked > 0 {
		text.Advance(linked)
		return ast.NewString([]byte(inner))
	}
	if named {
		inner = strings.TrimPrefix(inner, "!")
	}
	if named && strings.HasPrefix(inner, "~") {
		inner = strings.TrimPrefix(inner[strings.LastIndexByte(inner, '.')+1:], "~")
	}
	text.Advance(goesOn(line[next:]))
	code := ast.NewCodeSpan()
	code.AppendChild(code, ast.NewString([]byte(inner)))
	return code
}

// goesOn returns the length of the escape that joins a word suffix to markup, such as the backslash before a plural
// s.
func goesOn(after []byte) int {
	switch {
	case len(after) < 2 || after[0] != '\\':
		return 0
	case after[1] == ' ':
		return 2
	case unicode.IsLetter(rune(after[1])):
		return 1
	}
	return 0
}

func withAddress(words, dest string) string {
	if isWeb(dest) {
		return words + " (" + dest + ")"
	}
	return words
}

// substitution drops the bars of |name|.
type substitution struct{}

func (substitution) Trigger() []byte { return []byte{'|'} }

func (substitution) Parse(_ ast.Node, text gmtext.Reader, _ parser.Context) ast.Node {
	line, _ := text.PeekLine()
	name := line[1:]
	end := bytes.IndexByte(name[:min(len(name), 40)], '|')
	if end <= 0 || bytes.ContainsAny(name[:end], " `") || unicode.IsLetter(text.PrecendingCharacter()) {
		return nil // such as a|b|c
	}
	text.Advance(end + 2)
	return ast.NewString(name[:end])
}
