package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// sectionKind says how the text after a block tag is laid out.
type sectionKind int

const (
	prose    sectionKind = iota // "**Returns:** …"
	named                       // a list of names with what is said of each
	typed                       // a list of types with what is said of each
	listing                     // a list
	example                     // code
	mainText                    // part of the comment's text
	dropped                     // says nothing to a reader
)

type section struct {
	title string
	kind  sectionKind
}

// sections holds the block tags of TSDoc, JSDoc, Javadoc and Doxygen, in lower case.
var sections = map[string]section{
	"param": {"Parameters", named}, "arg": {"Parameters", named}, "argument": {"Parameters", named},
	"property": {"Properties", named}, "prop": {"Properties", named},
	"typeparam": {"Type parameters", named}, "template": {"Type parameters", named}, "tparam": {"Type parameters", named},
	"retval": {"Return values", named},
	"return": {"Returns", prose}, "returns": {"Returns", prose}, "result": {"Returns", prose},
	"yields": {"Yields", prose}, "yield": {"Yields", prose},
	"throws": {"Throws", typed}, "throw": {"Throws", typed}, "exception": {"Throws", typed},
	"fires": {"Fires", typed}, "emits": {"Fires", typed},
	"see": {"See also", listing}, "sa": {"See also", listing}, "link": {"See also", listing},
	"example": {"Example", example}, "usage": {"Example", example},
	"deprecated": {"Deprecated", prose}, "since": {"Since", prose}, "version": {"Version", prose},
	"default": {"Default", prose}, "defaultvalue": {"Default", prose}, "type": {"Type", prose},
	"note": {"Note", prose}, "remark": {"Note", prose}, "warning": {"Warning", prose}, "attention": {"Attention", prose},
	"important": {"Important", prose}, "todo": {"To do", prose}, "bug": {"Bug", prose}, "test": {"Test", prose},
	"pre": {"Precondition", prose}, "post": {"Postcondition", prose}, "invariant": {"Invariant", prose},
	"apinote": {"API note", prose}, "implspec": {"Implementation requirements", prose}, "implnote": {"Implementation note", prose},
	"author": {"Author", prose}, "authors": {"Author", prose}, "copyright": {"Copyright", prose},
	"remarks": {"", mainText}, "description": {"", mainText}, "desc": {"", mainText}, "summary": {"", mainText},
	"brief": {"", mainText}, "short": {"", mainText}, "details": {"", mainText}, "privateremarks": {"", dropped},
}

func init() {
	for _, tag := range strings.Fields("internal public private protected readonly override static abstract final async " +
		"alpha beta experimental packagedocumentation sealed virtual eventproperty function func method class constructor " +
		"module namespace memberof name alias kind interface typedef callback enum ingroup addtogroup defgroup weakgroup file fn " +
		"def var struct union headerfile hideinitializer nosubgrouping copydoc copybrief copydetails image serial serialdata " +
		"serialfield hidden ignore inheritdoc eslint ts-ignore ts-expect-error license preserve suppress export extends augments implements") {
		if _, known := sections[tag]; !known {
			sections[tag] = section{kind: dropped}
		}
	}
}

// tagged is one block tag with its text.
type tagged struct {
	section
	lines []string
}

var blockTag = lazyregexp.New(`^\s*@([A-Za-z][A-Za-z0-9-]*)(?:\[[a-z, ]*\])?(?:[\s:{]|$)`)

// splitTags cuts a comment into its text and its block tags. A tag stands at the start of a line, outside code.
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
		s, known := sections[strings.ToLower(name)]
		if !known {
			s = section{name, prose}
		}
		tags = append(tags, tagged{s, []string{rest}})
		current = &tags[len(tags)-1].lines
	}
	return text, tags
}

// cutTag cuts a line into the name of its block tag and what follows. In an example only known tags count: code has
// decorators and annotations.
func cutTag(line string, inExample bool) (name, rest string, ok bool) {
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

// codeGuard follows fences and <pre> from line to line.
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

// tagReader lays out a comment with block tags.
type tagReader struct {
	blockReader
	dialect
	code string // language of examples
}

func (r tagReader) markdown(lines []string) []block {
	return r.blockReader.read(translate(strings.Join(dedentAll(lines), "\n"), r.dialect))
}

func (r tagReader) read(doc string) []block {
	lines, tags := splitTags(splitLines(doc))
	out := r.markdown(lines)
	lists := map[string]int{} // title of a list -> its place in out
	for _, tag := range tags {
		switch tag.kind {
		case mainText:
			out = append(out, r.markdown(tag.lines)...)
		case prose:
			out = append(out, labelled(tag.title, r.prose(tag))...)
		case example:
			out = append(out, r.example(tag)...)
		case named, typed, listing:
			entry := r.entry(tag)
			if entry == nil {
				continue
			}
			at, seen := lists[tag.title]
			if !seen {
				out = append(out, labelled(tag.title, nil)...)
				at = len(out)
				lists[tag.title] = at
				out = append(out, block{kind: list})
			}
			out[at].items = append(out[at].items, entry)
		}
	}
	return out
}

// prose reads the text of a tag; a type in braces comes first, as code.
func (r tagReader) prose(tag tagged) []block {
	kind, rest := cutBraces(tag.lines[0])
	body := r.markdown(append([]string{rest}, dedentAll(tag.lines[1:])...))
	if kind == "" {
		return body
	}
	return item([]inline{{codeText, kind}}, body)
}

func (r tagReader) entry(tag tagged) []block {
	first := strings.TrimSpace(tag.lines[0])
	rest := dedentAll(tag.lines[1:])
	if tag.kind == listing {
		return r.reference(append([]string{first}, rest...))
	}
	kind, first := cutBraces(first)
	var head []inline
	if tag.kind == named {
		var name string
		name, first = cutName(first)
		head = []inline{{codeText, name}}
		if kind != "" {
			head = append(head, inline{plainText, " ("}, inline{codeText, kind}, inline{plainText, ")"})
		}
	} else {
		if kind == "" {
			kind, first = cutTarget(first)
		}
		head = []inline{{codeText, strings.Trim(kind, "`")}}
	}
	first = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(first), "- "))
	body := r.markdown(append([]string{first}, rest...))
	if len(body) == 0 && head[0].s == "" {
		return nil
	}
	return item(head, body)
}

// reference reads what follows @see: a name, a quoted title or any text.
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

// example reads Markdown where the example has a fence, and code otherwise.
func (r tagReader) example(tag tagged) []block {
	out := []block{para([]inline{{strongText, tag.title + ":"}})}
	lines := tag.lines
	if m := caption.FindStringSubmatch(lines[0]); m != nil {
		out = labelled(tag.title, r.markdown(strings.Split(m[1], "\n")))
		lines = append([]string{lines[0][len(m[0]):]}, lines[1:]...)
	}
	for _, line := range lines {
		if fenceMark(line) != "" || strings.Contains(line, "<pre") {
			return append(out, r.markdown(append([]string{lines[0]}, dedentAll(lines[1:])...))...)
		}
	}
	if lines[0] == "" {
		lines = dedentAll(lines[1:])
	}
	return append(out, block{kind: codeBlock, lang: r.code, code: strings.Join(lines, "\n")})
}

// cutBraces cuts a leading {type} off.
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

// cutName cuts a parameter's name off: name, [name=default], <T>.
func cutName(s string) (name, rest string) {
	if strings.HasPrefix(s, "[") {
		if end := strings.IndexByte(s, ']'); end > 0 && end+1 < len(s) && s[end+1] != '(' {
			return s[1:end], s[end+1:]
		}
	}
	name, rest, _ = strings.Cut(s, " ")
	return strings.TrimRight(strings.Trim(name, "`<>"), ":,-"), rest
}

func readTSDoc(doc string) []block {
	return tagReader{
		blockReader: blockReader{manner: emphasis | headings},
		dialect:     dialect{braces: true}, code: "ts",
	}.read(doc)
}

func readJavadoc(doc string) []block {
	return tagReader{
		blockReader: blockReader{manner: headings, fence: "java"},
		dialect:     dialect{braces: true}, code: "java",
	}.read(doc)
}
