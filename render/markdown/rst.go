package markdown

import (
	"regexp"
	"strings"
)

// fieldKinds holds the fields of reStructuredText docstrings.
var fieldKinds = map[string]section{
	"param": {"Parameters", named}, "parameter": {"Parameters", named}, "arg": {"Parameters", named}, "argument": {"Parameters", named},
	"key": {"Keyword arguments", named}, "keyword": {"Keyword arguments", named},
	"var": {"Attributes", named}, "ivar": {"Attributes", named}, "cvar": {"Attributes", named},
	"raises": {"Raises", named}, "raise": {"Raises", named}, "except": {"Raises", named}, "exception": {"Raises", named},
	"return": {"Returns", prose}, "returns": {"Returns", prose}, "rtype": {"Return type", typed},
	"yield": {"Yields", prose}, "yields": {"Yields", prose}, "type": {"", dropped}, "vartype": {"", dropped}, "meta": {"", dropped},
}

// fields reads a run of ":name argument: text", joining ":type x:" to ":param x:".
func (r pythonReader) fields(lines []string, i, depth int) ([]block, int) {
	types, end := fieldTypes(lines, i)
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
		case s.kind == named && known:
			at, seen := lists[s.title]
			if !seen {
				out = append(out, labelled(s.title, nil)...)
				at = len(out)
				lists[s.title] = at
				out = append(out, block{kind: list})
			}
			out[at].items = append(out[at].items, item(fieldHead(m[2], types), r.deeper(body, depth)))
		case s.kind == typed && known:
			out = append(out, labelled(s.title, []block{para([]inline{{codeText, plainType(joinLines(body))}})})...)
		default:
			if !known {
				s.title = strings.TrimSpace(m[1] + " " + m[2])
			}
			out = append(out, labelled(s.title, r.deeper(body, depth))...)
		}
	}
	return out, end
}

func (r pythonReader) deeper(lines []string, depth int) []block {
	if depth >= maxDepth {
		return []block{para(readRST(joinLines(lines)))}
	}
	return r.blocks(lines, depth+1)
}

// fieldTypes collects the types of a run of fields, and finds its end.
func fieldTypes(lines []string, i int) (map[string]string, int) {
	types := map[string]string{}
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
		}
		i = next
	}
	return types, i
}

// fieldHead makes the head of ":param type name:".
func fieldHead(argument string, types map[string]string) []inline {
	words := strings.Fields(argument)
	if len(words) == 0 {
		return nil
	}
	name := words[len(words)-1]
	kind := strings.Join(words[:len(words)-1], " ")
	if kind == "" {
		kind = types[argument]
	}
	return nameHead(strings.TrimPrefix(strings.ReplaceAll(name, "`", ""), `\`), kind)
}

var roleMark = regexp.MustCompile("^:[A-Za-z][A-Za-z0-9:_-]*:`")

// plainType removes roles and quotes from a type.
func plainType(s string) string { return rawText(readRST(s)) }

var rstLink = regexp.MustCompile(`^(.*?)\s*<(.*)>$`)

// readRST reads the marks inside a paragraph: “code“, *emphasis*, **strong**, :role:`target`, `text <address>`_,
// and the links of Markdown.
func readRST(s string) []inline {
	sc := scanner{reader: inlineReader{emphasis: true}, s: s, runs: backtickRuns(s), brackets: matchPairs(s, '[', ']'), missing: map[string]bool{}}
	for sc.i < len(s) {
		c := s[sc.i]
		switch {
		case c == ':' && roleMark.MatchString(s[sc.i:min(len(s), sc.i+60)]):
			sc.role(len(roleMark.FindString(s[sc.i:min(len(s), sc.i+60)])) - 1)
		case c == '`':
			sc.role(0)
		case c == '|' && sc.substitution():
		default:
			sc.step()
		}
	}
	sc.flush()
	return sc.out
}

// role reads `text` with an optional role of n bytes before it and an optional "_" after it.
func (sc *scanner) role(n int) {
	from := sc.i + n
	width := runLength(sc.s[from:], '`')
	end := nextRun(sc.runs, width, from+width)
	if end < 0 {
		sc.literal(n + width)
		return
	}
	inner := sc.s[from+width : end]
	next := end + width
	linked := runLength(sc.s[next:], '_')
	if m := rstLink.FindStringSubmatch(inner); m != nil && width == 1 && (n > 0 || linked > 0) {
		pieces := []inline{{plainText, m[1]}}
		if strings.HasPrefix(m[2], "http") {
			pieces = append(pieces, inline{plainText, " (" + m[2] + ")"})
		}
		sc.emit(pieces, next+linked)
		return
	}
	if linked > 0 && width == 1 {
		sc.emit(text(inner), next+linked)
		return
	}
	if n > 0 && strings.HasPrefix(inner, "~") {
		inner = inner[strings.LastIndexByte(inner, '.')+1:]
		inner = strings.TrimPrefix(inner, "~")
	}
	sc.emit([]inline{{codeText, inner}}, next)
}

// substitution drops the bars of |name|.
func (sc *scanner) substitution() bool {
	rest := sc.s[sc.i+1:]
	end := strings.IndexByte(rest[:min(len(rest), 40)], '|')
	if end <= 0 || strings.ContainsAny(rest[:end], " `") {
		return false
	}
	sc.emit(text(rest[:end]), sc.i+end+2)
	return true
}
