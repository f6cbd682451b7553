package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

type sectionKind int

const (
	prose    sectionKind = iota // "**Returns:** …"
	named                       // a table of names with descriptions
	generic                     // named, of type parameters
	typed                       // a list of types with descriptions
	listed                      // a list of names with descriptions
	aside                       // prose that is not about the documented symbol
	listing                     // a list
	example                     // code
	mainText                    // part of the comment's text
	gist                        // the first sentence of the comment's text
	modifier                    // hidden tag; the text after it is part of the comment's text
	naming                      // hidden with the rest of its line; the text after it is part of the comment's text
	dropped                     // hidden
)

type section struct {
	title string
	kind  sectionKind
}

var sections = map[string]section{
	"param": {parameters, named}, "params": {parameters, named}, "arg": {parameters, named}, "argument": {parameters, named},
	"property": {properties, named}, "prop": {properties, named},
	"typeparam": {parameters, generic}, "template": {parameters, generic}, "tparam": {parameters, generic},
	"retval": {results, named},
	"return": {"Returns", prose}, "returns": {"Returns", prose}, "result": {"Returns", prose},
	"yields": {"Yields", prose}, "yield": {"Yields", prose},
	"throws": {"Throws", typed}, "throw": {"Throws", typed}, "exception": {"Throws", typed},
	"fires": {"Fires", typed}, "emits": {"Fires", typed},
	"see": {"See also", listing}, "sa": {"See also", listing}, "link": {"See also", listing},
	"example": {"Example", example}, "usage": {"Example", example},
	"deprecated": {"Deprecated", prose}, "since": {"Since", aside}, "version": {"Version", aside},
	"default": {"Default", aside}, "defaultvalue": {"Default", aside}, "type": {"Type", aside},
	"note": {"Note", prose}, "remark": {"Note", prose}, "warning": {"Warning", prose}, "attention": {"Attention", prose},
	"important": {"Important", prose}, "todo": {"To do", aside}, "bug": {"Bug", aside}, "test": {"Test", aside},
	"pre": {"Precondition", prose}, "post": {"Postcondition", prose}, "invariant": {"Invariant", prose},
	"apinote": {"API note", aside}, "implspec": {"Implementation requirements", aside}, "implnote": {"Implementation note", aside},
	"author": {"Author", aside}, "authors": {"Author", aside}, "copyright": {"Copyright", aside},
	"remarks": {"", mainText}, "description": {"", mainText}, "desc": {"", mainText}, "details": {"", mainText},
	"file": {"", mainText}, "fileoverview": {"", mainText}, "overview": {"", mainText}, "classdesc": {"", mainText},
	"summary": {"", gist}, "brief": {"", gist}, "short": {"", gist},
	"category": {"Category", aside}, "group": {"Group", aside}, "alpha": {"Alpha", aside}, "beta": {"Beta", aside},
	"experimental": {"Experimental", aside},
}

func init() {
	for kind, tags := range map[sectionKind]string{
		modifier: "internal public private protected readonly override static abstract final async " +
			"packagedocumentation sealed virtual eventproperty hidden ignore inheritdoc hideinitializer nosubgrouping overload " +
			"ts-ignore ts-expect-error constructor hideconstructor global inner instance generator",
		naming: "function func method class module namespace memberof name alias kind interface typedef callback enum ingroup " +
			"addtogroup defgroup weakgroup fn def var struct union headerfile copydoc copybrief copydetails image serial serialdata " +
			"serialfield eslint suppress export extends augments implements this mixes mixin lends borrows requires external",
		dropped: "privateremarks license preserve",
	} {
		for _, tag := range strings.Fields(tags) {
			sections[tag] = section{kind: kind}
		}
	}
}

type tagged struct {
	section
	lines []string
}

var blockTag = lazyregexp.New(`^\s*@([A-Za-z][A-Za-z0-9-]*)(?:\[[a-z, ]*\])?(?:[\s:{]|$)`)

func splitTags(lines []string) (text []string, tags []tagged) {
	var guard codeGuard
	current := &text
	for _, line := range lines {
		name, rest, ok := "", "", false
		if !guard.inside(line) {
			name, rest, ok = cutTag(line, len(tags) > 0 && tags[len(tags)-1].kind == example)
		}
		if !ok {
			*current = append(*current, line)
			continue
		}
		tags = append(tags, tagOf(name, rest))
		current = &tags[len(tags)-1].lines
	}
	return text, tags
}

func tagOf(name, rest string) tagged {
	s, known := sections[strings.ToLower(name)]
	switch {
	case !known:
		s = section{name, aside}
	case s.kind == modifier:
		_, rest = cutBraces(rest)
		s.kind = mainText
	case s.kind == naming:
		rest = ""
		s.kind = mainText
	}
	return tagged{s, []string{rest}}
}

// cutTag splits a line into the name of its block tag and the rest. In an example only known tags count: code has
// decorators and annotations.
func cutTag(line string, inExample bool) (name, rest string, ok bool) {
	if !strings.HasPrefix(strings.TrimSpace(line), "@") {
		return "", "", false // the usual case
	}
	m := blockTag.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	if _, known := sections[strings.ToLower(m[1])]; !known && inExample {
		return "", "", false
	}
	line = strings.TrimSpace(line)[len("@")+len(m[1]):]
	return m[1], strings.TrimSpace(strings.TrimPrefix(line, ":")), true
}

type codeGuard struct {
	mark string
	pre  bool
}

// inside reports that a line is within code, or starts or ends it.
func (g *codeGuard) inside(line string) bool {
	if g.mark != "" {
		if closesFence(line, g.mark) {
			g.mark = ""
		}
		return true
	}
	if g.mark = fenceMark(line); g.mark != "" {
		return true
	}
	was := g.pre
	opened, closed := strings.LastIndex(line, "<pre"), strings.LastIndex(line, "</pre>")
	if opened >= 0 || closed >= 0 {
		g.pre = opened > closed
	}
	return was
}

type tagReader struct {
	blockReader
	dialect
	code     string // language of examples
	typeless bool   // types are in braces, or known by name
}

var thrown = lazyregexp.New("^`?(?:[A-Za-z_$][\\w$]*\\.)*[A-Z]\\w*(?:Error|Exception)`?:?$")

func (r tagReader) markdown(lines []string) []block {
	return r.blockReader.read(translate(strings.Join(dedentAll(lines), "\n"), r.dialect))
}

func (r tagReader) read(doc string) []block {
	all := splitLines(doc)
	if r.manner&emphasis != 0 { // Markdown, where four spaces make code
		all = fenceIndented(all, r.code)
	}
	lines, tags := splitTags(all)
	var first []block
	out := r.markdown(lines)
	lists := map[string]int{} // title of a list -> its index in out
	for _, tag := range tags {
		switch tag.kind {
		case gist:
			first = append(first, r.markdown(tag.lines)...)
		case mainText:
			out = append(out, r.markdown(tag.lines)...)
		case prose:
			out = append(out, r.prose(tag)...)
		case aside:
			out = append(out, beside(r.prose(tag))...)
		case example:
			out = append(out, beside(r.example(tag))...)
		case named, generic:
			if m, ok := r.member(tag); ok {
				out = append(out, membersOf(tag.title, m))
			}
		case typed, listing:
			entry := r.entry(tag)
			if entry == nil {
				continue
			}
			at, seen := lists[tag.title]
			if !seen {
				out = append(out, labelled(tag.title, nil)...)
				at = len(out)
				lists[tag.title] = at
				out = append(out, block{kind: list, aside: true})
			}
			out[at].items = append(out[at].items, entry)
		}
	}
	return append(first, out...)
}

func beside(blocks []block) []block {
	for i := range blocks {
		blocks[i].aside = true
	}
	return blocks
}

// prose reads the text of a tag under its title; a type in braces comes first, as code.
func (r tagReader) prose(tag tagged) []block {
	kind, rest := cutBraces(tag.lines[0])
	rest = trimDash(rest)
	body := r.markdown(append([]string{rest}, dedentAll(tag.lines[1:])...))
	if kind != "" {
		body = item([]inline{{codeText, kind}}, body)
	}
	if len(body) == 0 {
		return []block{heading(tag.title)}
	}
	return labelled(tag.title, body)
}

func trimDash(s string) string {
	s = strings.TrimSpace(s)
	for _, mark := range []string{"- ", "– ", "— ", ": "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	if s == "-" {
		return ""
	}
	return s
}

func (r tagReader) member(tag tagged) (member, bool) {
	var m member
	kind, rest := cutBraces(strings.TrimSpace(tag.lines[0]))
	m.kind = strings.TrimSuffix(kind, "=")
	m.optional = len(m.kind) < len(kind)
	if inner, after, ok := cutOptional(rest); ok {
		m.optional = true
		m.names, m.fallback, _ = strings.Cut(inner, "=")
		m.names, m.fallback, rest = strings.TrimSpace(m.names), strings.TrimSpace(m.fallback), after
	} else {
		m.names, rest = cutName(rest)
	}
	if tag.kind == generic {
		m.names = "<" + strings.Trim(m.names, "<>") + ">"
	}
	m.about = r.markdown(append([]string{trimDash(rest)}, dedentAll(tag.lines[1:])...))
	return m, m.names != "" || m.kind != "" || len(m.about) > 0
}

func (r tagReader) entry(tag tagged) []block {
	first := strings.TrimSpace(tag.lines[0])
	rest := dedentAll(tag.lines[1:])
	if tag.kind == listing {
		return r.reference(append([]string{first}, rest...))
	}
	kind, first := cutBraces(first)
	if kind == "" {
		if word, rest := cutTarget(first); !r.typeless || thrown.MatchString(word) {
			kind, first = word, rest
		}
	}
	body := r.markdown(append([]string{trimDash(first)}, rest...))
	if kind = strings.Trim(kind, "`:"); kind == "" && len(body) == 0 {
		return nil
	}
	if kind == "" {
		return body
	}
	return item([]inline{{codeText, kind}}, body)
}

// reference reads the text after @see: a name, a quoted title or any text.
func (r tagReader) reference(lines []string) []block {
	first := lines[0]
	if strings.HasPrefix(first, `"`) || strings.HasPrefix(first, "<") || strings.HasPrefix(first, "{") || strings.Contains(first, "://") || r.fence == "" && strings.Contains(first, " ") {
		return r.markdown(lines)
	}
	target, rest := cutTarget(first)
	body := r.markdown(append([]string{rest}, lines[1:]...))
	return item([]inline{{codeText, strings.TrimPrefix(strings.ReplaceAll(strings.Trim(target, "`"), "#", "."), ".")}}, body)
}

var caption = lazyregexp.New(`^\s*<caption>(.*?)</caption>\s*`)

// example reads Markdown if the example has a fence, otherwise code.
func (r tagReader) example(tag tagged) []block {
	out := []block{para([]inline{{strongText, tag.title + ":"}})}
	lines := trimBlank(append([]string{tag.lines[0]}, dedentAll(tag.lines[1:])...))
	if len(lines) == 0 {
		return nil
	}
	if m := caption.FindStringSubmatch(lines[0]); m != nil {
		out = labelled(tag.title, r.markdown(strings.Split(m[1], "\n")))
		lines = append([]string{lines[0][len(m[0]):]}, lines[1:]...)
	}
	for _, line := range lines {
		if fenceMark(line) != "" || strings.Contains(line, "<pre") {
			return append(out, r.markdown(lines)...)
		}
	}
	return append(out, block{kind: codeBlock, lang: r.code, code: strings.Join(lines, "\n")})
}

func cutBraces(s string) (kind, rest string) {
	if !strings.HasPrefix(s, "{") || strings.HasPrefix(s, "{@") {
		return "", s
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return strings.TrimSpace(s[1:i]), strings.TrimSpace(s[i+1:])
		}
	}
	return "", s
}

// cutOptional cuts off text in square brackets, unless it belongs to a link.
func cutOptional(s string) (inner, rest string, ok bool) {
	if !strings.HasPrefix(s, "[") {
		return "", s, false
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			return s[1:i], s[i+1:], !strings.HasPrefix(s[i+1:], "(")
		}
	}
	return "", s, false
}

func cutName(s string) (name, rest string) {
	name, rest, _ = strings.Cut(s, " ")
	return strings.TrimRight(strings.Trim(name, "`"), ":,-"), rest
}

// readTSDoc reads the comments of TypeScript and JavaScript. lang is the language of examples.
func readTSDoc(lang string) func(string) []block {
	return tagReader{
		blockReader: blockReader{manner: emphasis | headings},
		dialect:     dialect{braces: true}, code: lang, typeless: true,
	}.read
}

func readJavadoc(doc string) []block {
	return tagReader{
		blockReader: blockReader{manner: headings, fence: "java"},
		dialect:     dialect{braces: true}, code: "java",
	}.read(doc)
}
