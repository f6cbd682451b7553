package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// readPython reads docstrings: reStructuredText with its fields and directives, the sections of Google and NumPy
// style, doctests, and common Markdown.
func readPython(doc string) []block {
	lines := splitLines(doc)
	if len(lines) > 1 {
		// The first line follows the quotes and has no meaningful indentation.
		lines = append([]string{strings.TrimLeft(lines[0], " ")}, dedentAll(lines[1:])...)
		if strings.TrimSpace(doc[:strings.IndexByte(doc, '\n')+1]) != "" && startsBlank(doc) {
			lines = append(lines[:1], append([]string{""}, lines[1:]...)...)
		}
	}
	return pythonReader{}.blocks(withoutDefinitions(dedentAll(lines)), 0)
}

func startsBlank(doc string) bool {
	_, rest, _ := strings.Cut(doc, "\n")
	second, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(second) == ""
}

type pythonReader struct{}

var (
	rstUnderline = lazyregexp.New(`^([=\-~^"'#*+.` + "`" + `:_])+$`)
	rstField     = lazyregexp.New(`^:([A-Za-z][A-Za-z ]*?)(?:\s+:?([^:]+?))?:(?:\s+(.*))?$`)
	rstDirective = lazyregexp.New(`^\.\.\s*([A-Za-z][\w:-]*?)(::?)(?:\s+(.*))?$`)
	googleHead   = lazyregexp.New(`^([A-Z][A-Za-z]*(?: [A-Za-z]+)?):$`)
	googleItem   = lazyregexp.New(`^(\*{0,2}[\w.]+(?:, *\*{0,2}[\w.]+)*)\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?\s*:(?:\s+(.*))?$`)
	numpyItem    = lazyregexp.New(`^(\*{0,2}[\w.]+(?:, *\*{0,2}[\w.]+)*)(?:\s*:\s*(.*))?$`)
)

var pythonSections = map[string]section{
	"args": {parameters, named}, "arguments": {parameters, named}, "parameters": {parameters, named}, "params": {parameters, named},
	"keyword args": {parameters, named}, "keyword arguments": {parameters, named}, "kwargs": {parameters, named},
	"other parameters": {parameters, named}, "attributes": {attributes, named}, "methods": {methods, named},
	"returns": {"Returns", typed}, "return": {"Returns", typed}, "yields": {"Yields", typed}, "yield": {"Yields", typed},
	"receives": {parameters, named}, "raises": {"Raises", listed}, "raise": {"Raises", listed}, "warns": {"Warns", listed},
	"except": {"Raises", listed}, "exceptions": {"Raises", listed}, "warnings": {"Warnings", prose}, "warning": {"Warning", prose},
	"note": {"Note", prose}, "notes": {"Notes", prose}, "example": {"Example", prose}, "examples": {"Examples", prose},
	"usage": {"Usage", prose}, "see also": {"See also", prose}, "references": {"References", prose}, "todo": {"To do", prose},
	"caution": {"Caution", prose}, "danger": {"Danger", prose}, "important": {"Important", prose}, "tip": {"Tip", prose}, "hint": {"Hint", prose},
}

func (r pythonReader) blocks(lines []string, depth int) []block {
	var out []block
	for i := 0; i < len(lines); {
		found, next := r.block(lines, i, depth)
		out = append(out, found...)
		i = next
	}
	return out
}

func (r pythonReader) block(lines []string, i, depth int) ([]block, int) {
	line := lines[i]
	switch {
	case line == "":
		return nil, i + 1
	case fenceMark(line) != "":
		code, next := fenced(lines, i)
		return []block{code}, next
	case strings.HasPrefix(strings.TrimLeft(line, " "), ">>>"):
		return r.doctest(lines, i)
	case isDirective(line):
		return r.directive(lines, i, depth)
	case rstField.MatchString(line):
		return r.fields(lines, i, depth)
	case isRSTTable(line):
		return r.table(lines, i)
	case i+1 < len(lines) && isTableRule(lines[i+1]) && strings.Contains(line, "|"), isHeadingAlone(lines, i):
		end := i + 1
		for end < len(lines) && lines[end] != "" {
			end++
		}
		return blockReader{manner: emphasis | headings}.read(strings.Join(lines[i:end], "\n")), end
	case strings.HasPrefix(line, "| "):
		return lineBlock(lines, i)
	case admonition.MatchString(line):
		return r.noted(lines, i, depth)
	case i+1 < len(lines) && isUnderline(line, lines[i+1]):
		return r.titled(lines, i, depth)
	case googleHead.MatchString(line) && i+1 < len(lines) && indentOf(nextText(lines, i+1)) > indentOf(line):
		name := googleHead.FindStringSubmatch(line)[1]
		if s, known := pythonSections[strings.ToLower(name)]; known {
			body, next := indentedBody(lines, i+1, 0)
			return r.section(s, body, googleItem, depth), next
		}
	case isBullet(line) && depth < maxDepth:
		return r.listed(lines, i, depth)
	}
	if code, next := literal(lines, i); next > i {
		return []block{code}, next
	}
	if indentOf(line) > 0 && depth < maxDepth {
		body, next := indentedBody(lines, i, 0)
		if i > 1 && lines[i-1] == "" && isExample(lines[i-2], body) {
			return []block{{kind: codeBlock, lang: "python", code: strings.Join(trimBlank(body), "\n")}}, next
		}
		return r.blocks(body, depth+1), next
	}
	return r.paragraph(lines, i, depth)
}

func isDirective(line string) bool {
	return strings.HasPrefix(line, "..") && (line == ".." || line[2] == ' ' || rstDirective.MatchString(line))
}

// isHeadingAlone reports a Markdown heading: a code comment in prose has adjacent text.
func isHeadingAlone(lines []string, i int) bool {
	return strings.HasPrefix(lines[i], "#") && atxHeading.MatchString(lines[i]) &&
		(i == 0 || lines[i-1] == "") && (i+1 == len(lines) || lines[i+1] == "")
}

var atxHeading = lazyregexp.New(`^#{1,6} +\S`)

// lineBlock reads lines after bars, which keep their line ends: each is a paragraph.
func lineBlock(lines []string, i int) ([]block, int) {
	var out []block
	for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
		out = append(out, para(readRST(strings.TrimSpace(lines[i][1:]))))
	}
	return out, i
}

func nextText(lines []string, i int) string {
	for ; i < len(lines); i++ {
		if lines[i] != "" {
			return lines[i]
		}
	}
	return ""
}

func indentedBody(lines []string, i, margin int) ([]string, int) {
	start := i
	for i < len(lines) && (lines[i] == "" || indentOf(lines[i]) > margin) {
		i++
	}
	return dedentAll(lines[start:i]), i
}

func (r pythonReader) doctest(lines []string, i int) ([]block, int) {
	start := i
	for i < len(lines) && lines[i] != "" {
		i++
	}
	code := strings.Join(dedentAll(lines[start:i]), "\n")
	// Doctests separated by blank lines stay one block.
	if i+1 < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[i+1], " "), ">>>") {
		more, next := r.doctests(lines, i+1)
		return []block{{kind: codeBlock, lang: "python", code: code + "\n\n" + more}}, next
	}
	return []block{{kind: codeBlock, lang: "python", code: code}}, i
}

func (r pythonReader) doctests(lines []string, i int) (string, int) {
	start := i
	for i < len(lines) && (lines[i] != "" || i+1 < len(lines) && strings.HasPrefix(strings.TrimLeft(lines[i+1], " "), ">>>")) {
		i++
	}
	return strings.Join(dedentAll(lines[start:i]), "\n"), i
}

func isUnderline(title, line string) bool {
	return len(line) >= 3 && indentOf(title) == indentOf(line) && rstUnderline.MatchString(strings.TrimLeft(line, " ")) &&
		runLength(strings.TrimLeft(line, " "), strings.TrimLeft(line, " ")[0]) == len(strings.TrimLeft(line, " ")) &&
		!rstUnderline.MatchString(title)
}

func (r pythonReader) titled(lines []string, i, depth int) ([]block, int) {
	s, known := pythonSections[strings.ToLower(strings.TrimSpace(lines[i]))]
	if !known || indentOf(lines[i]) > 0 {
		return []block{{kind: label, text: readRST(strings.TrimSpace(lines[i]))}}, i + 2
	}
	start := i + 2
	end := start
	for end < len(lines) && !(end+1 < len(lines) && lines[end] != "" && isUnderline(lines[end], lines[end+1])) {
		end++
	}
	return r.section(s, trimBlank(lines[start:end]), numpyItem, depth), end
}

func (r pythonReader) section(s section, body []string, itemForm *lazyregexp.Regexp, depth int) []block {
	if depth >= maxDepth {
		return append(labelled(s.title, nil), para(readRST(joinLines(body))))
	}
	switch s.kind {
	case named:
		before, found, after := r.items(body, itemForm, depth)
		if len(found) == 0 {
			return labelled(s.title+"s", before)
		}
		return append(append(before, membersOf(s.title, found...)), after...)
	case listed:
		before, found, after := r.items(body, itemForm, depth)
		return append(append(labelled(s.title, before), listOf(found)...), after...)
	case typed:
		return labelled(s.title, r.result(body, itemForm, depth))
	}
	return labelled(s.title, r.blocks(body, depth+1))
}

func (r pythonReader) items(lines []string, form *lazyregexp.Regexp, depth int) (before []block, found []member, after []block) {
	for i := 0; i < len(lines); {
		m := form.FindStringSubmatch(lines[i])
		if m == nil {
			if lines[i] == "" {
				i++
				continue
			}
			other, next := r.block(lines, i, depth+1)
			if len(found) == 0 {
				before = append(before, other...)
			} else {
				after = append(after, other...)
			}
			i = next
			continue
		}
		body, next := indentedBody(lines, i+1, 0)
		if len(m) > 3 {
			body = append([]string{m[3]}, body...)
		}
		found = append(found, member{names: m[1], kind: plainType(strings.TrimSpace(m[2])), about: r.blocks(trimBlank(body), depth+1)})
		i = next
	}
	return before, found, after
}

func listOf(found []member) []block {
	if len(found) == 0 {
		return nil
	}
	out := block{kind: list}
	for _, m := range found {
		out.items = append(out.items, item(m.head(), m.about))
	}
	return []block{out}
}

func nameHead(names, kind string) []inline {
	var head []inline
	for i, name := range strings.Split(names, ",") {
		if i > 0 {
			head = append(head, inline{plainText, ", "})
		}
		head = append(head, inline{codeText, strings.TrimSpace(name)})
	}
	return append(head, member{kind: kind}.ofKind()...)
}

var typePrefix = lazyregexp.New(`^([A-Za-z_][\w.]*(?:\[[^\]]*\]+)?(?: or [\w.]+)*):\s+(.+)$`)

func (r pythonReader) result(body []string, form *lazyregexp.Regexp, depth int) []block {
	if len(body) == 0 {
		return nil
	}
	if form == numpyItem {
		if len(body) > 1 && indentOf(body[1]) > 0 || len(body) == 1 {
			return r.numpyResult(body, depth)
		}
		return r.blocks(body, depth+1)
	}
	m := typePrefix.FindStringSubmatch(body[0])
	if m == nil {
		return r.blocks(dedentRest(body), depth+1)
	}
	return item([]inline{{codeText, m[1]}}, r.blocks(dedentRest(append([]string{m[2]}, body[1:]...)), depth+1))
}

// dedentRest removes the hanging indentation of the lines after the first.
func dedentRest(lines []string) []string {
	return append(lines[:1:1], dedentAll(lines[1:])...)
}

func (r pythonReader) numpyResult(body []string, depth int) []block {
	out := block{kind: list}
	for i := 0; i < len(body); {
		if body[i] == "" {
			i++
			continue
		}
		name, kind, isNamed := strings.Cut(body[i], " : ")
		head := []inline{{codeText, strings.TrimSpace(name)}}
		if isNamed {
			head = nameHead(name, kind)
		}
		inner, next := indentedBody(body, i+1, 0)
		out.items = append(out.items, item(head, r.blocks(inner, depth+1)))
		i = next
	}
	return append([]block{para(nil)}, out)
}

func (r pythonReader) listed(lines []string, i, depth int) ([]block, int) {
	out := block{kind: list, ordered: isDigit(strings.TrimLeft(lines[i], " ")[0])}
	margin := indentOf(lines[i])
	for i < len(lines) {
		m := bullet.FindStringSubmatch(lines[i])
		if m == nil || len(m[1]) != margin || isDigit(m[2][0]) != out.ordered {
			break
		}
		first := lines[i][len(m[0]):]
		start := i + 1
		for i++; i < len(lines) && (lines[i] != "" && (indentOf(lines[i]) > margin || r.lazy(lines, i)) || lines[i] == "" && indentOf(nextText(lines, i)) > margin); i++ {
		}
		body := []string{first}
		for _, line := range lines[start:i] {
			body = append(body, dedent(line, len(m[0])))
		}
		body = fenceDeep(body)
		out.items = append(out.items, r.blocks(trimBlank(body), depth+1))
		for i < len(lines) && lines[i] == "" && i+1 < len(lines) && (lines[i+1] == "" || isBullet(lines[i+1])) {
			i++
		}
	}
	return []block{out}, i
}

// lazy reports whether a line continues the paragraph of the item above it without its indent.
func (r pythonReader) lazy(lines []string, i int) bool {
	return lines[i-1] != "" && !r.opens(lines, i) && fenceMark(lines[i-1]) == ""
}

func isRSTTable(line string) bool {
	s := strings.TrimSpace(line)
	return len(s) > 4 && (strings.HasPrefix(s, "+-") && strings.Trim(s, "+-=") == "" || strings.HasPrefix(s, "==") && strings.Contains(s, " ") && strings.Trim(s, "= ") == "")
}

// paragraph reads lines up to a blank or the start of a block. A trailing "::" makes the indented lines below code.
func (r pythonReader) paragraph(lines []string, i, depth int) ([]block, int) {
	start := i
	for i++; i < len(lines) && lines[i] != "" && !r.opens(lines, i); i++ {
	}
	words := joinLines(lines[start:i])
	if !strings.HasSuffix(words, "::") {
		return []block{para(readRST(words))}, i
	}
	body, next := indentedBody(lines, i, indentOf(lines[start]))
	words = strings.TrimSuffix(words, ":")
	if words == ":" || strings.HasSuffix(words, " :") {
		words = strings.TrimRight(strings.TrimSuffix(words, ":"), " ")
	}
	if len(body) == 0 {
		return []block{para(readRST(words))}, i
	}
	code := block{kind: codeBlock, lang: "python", code: strings.Join(body, "\n")}
	if words == "" {
		return []block{code}, next
	}
	return []block{para(readRST(words)), code}, next
}

func (r pythonReader) opens(lines []string, i int) bool {
	line := lines[i]
	return fenceMark(line) != "" || strings.HasPrefix(line, ">>> ") || isDirective(line) || rstField.MatchString(line) ||
		isBullet(line) || googleHead.MatchString(line) && pythonSections[strings.ToLower(strings.TrimSuffix(line, ":"))].title != "" ||
		i+1 < len(lines) && isUnderline(line, lines[i+1]) && lines[i-1] == ""
}
