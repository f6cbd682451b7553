package markdown

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// admonitions maps the directives whose content is shown to their labels.
var admonitions = map[string]string{
	"note": "Note", "warning": "Warning", "seealso": "See also", "tip": "Tip", "hint": "Hint", "important": "Important",
	"caution": "Caution", "danger": "Danger", "attention": "Attention", "error": "Error", "todo": "To do",
}

// versioned maps the directives about version changes to their labels.
var versioned = map[string]string{
	"deprecated": "Deprecated since", "versionadded": "Added in", "versionchanged": "Changed in", "versionremoved": "Removed in",
}

// silent lists the directives without visible content.
var silent = lazy.Set("image index toctree contents include currentmodule module py:module py:currentmodule highlight default-role raw " +
	"testsetup testcleanup meta tabularcolumns autoclass autofunction automodule automethod autoattribute autodata autoexception " +
	"autosummary autoproperty automodsumm graphviz inheritance-diagram")

var coded = lazy.Set("code code-block sourcecode ipython doctest testcode testoutput parsed-literal prompt math literalinclude ipython3 " +
	"jupyter-execute plot")

// described lists the directives that describe a named symbol.
var described = lazy.Set("attribute method classmethod staticmethod function class data describe exception property decorator option envvar " +
	"object confval type decoratormethod")

// directive reads ".. name:: argument" with its indented content, or the footnote ".. [1] text". Anything else is a
// comment, which is dropped.
func (r pythonReader) directive(lines []string, i, depth int) ([]block, int) {
	m := rstDirective.FindStringSubmatch(lines[i])
	body, next := indentedBody(lines, i+1, 0)
	if m == nil {
		note := rstFootnote.FindString(lines[i])
		if note == "" || depth >= maxDepth {
			return nil, next
		}
		return r.blocks(append([]string{strings.TrimLeft(note[2:], " ") + lines[i][len(note):]}, body...), depth+1), next
	}
	name, argument := strings.TrimPrefix(strings.ToLower(m[1]), "py:"), m[3]
	known := admonitions[name] != "" || versioned[name] != "" || coded[name]
	switch {
	case m[2] == ":" && !known, silent[name]:
		return nil, next
	case coded[name]:
		if body = dropOptions(body); len(body) == 0 {
			return nil, next // of another file
		}
		return []block{{kind: codeBlock, lang: codeBlockLang(name, argument), code: strings.Join(body, "\n")}}, next
	case name == "rubric":
		return []block{heading(argument)}, next
	case depth >= maxDepth:
		return []block{para(readRST(joinLines(append([]string{argument}, body...))))}, next
	case versioned[name] != "":
		version, rest, _ := strings.Cut(argument, " ")
		return r.labelled(strings.TrimSpace(versioned[name]+" "+version), rest, body, depth), next
	case admonitions[name] != "":
		return r.labelled(admonitions[name], argument, body, depth), next
	case name == "admonition":
		return r.labelled(argument, "", body, depth), next
	case described[name]:
		of := member{about: r.blocks(dropOptions(body), depth+1)}
		for _, line := range body {
			if kind, ok := strings.CutPrefix(line, ":type: "); ok {
				of.kind = plainType(kind)
			}
		}
		head := append([]inline{{codeText, argument}}, of.ofKind()...)
		return []block{{kind: list, items: [][]block{item(head, of.about)}}}, next
	}
	if name != "figure" && !strings.Contains(name, "table") && len(strings.Fields(argument)) < leastSentence {
		argument = "" // a display option
	}
	return append([]block{para(readRST(argument))}, r.blocks(dropOptions(body), depth+1)...), next
}

// leastSentence is the number of words from which an argument is text.
const leastSentence = 3

// labelled shows the content of a directive under a label, or the label alone.
func (r pythonReader) labelled(title, first string, body []string, depth int) []block {
	about := r.blocks(trimBlank(append([]string{first}, dropOptions(body)...)), depth+1)
	if len(about) == 0 {
		return []block{heading(title)}
	}
	return labelled(title, about)
}

func codeBlockLang(name, argument string) string {
	switch {
	case name == "math" || name == "parsed-literal" || name == "prompt" || name == "testoutput":
		return "text"
	case argument == "" || argument == "default" || strings.HasPrefix(argument, "ipython") || argument == "pycon" || name == "doctest":
		return "python"
	}
	return argument
}

// rstFootnote matches the mark of a footnote or citation.
var rstFootnote = lazyregexp.New(`^\.\. +\[[#*\w.-]+\]`)

var rstOption = lazyregexp.New(`^:[a-z]+(?:-[a-z]+)+:(?: |$)`)

func dropOptions(lines []string) []string {
	for len(lines) > 0 && (rstField.MatchString(lines[0]) || rstOption.MatchString(lines[0])) {
		lines = lines[1:]
	}
	return trimBlank(lines)
}

// admonition matches the notes of MkDocs, with indented content.
var admonition = lazyregexp.New(`^(?:!!!|\?\?\?\+?) +([A-Za-z][\w-]*)(?: +"([^"]*)")? *$`)

func (r pythonReader) noted(lines []string, i, depth int) ([]block, int) {
	m := admonition.FindStringSubmatch(lines[i])
	body, next := indentedBody(lines, i+1, 0)
	title := m[2]
	if title == "" {
		title = strings.ToUpper(m[1][:1]) + m[1][1:]
	}
	if depth >= maxDepth {
		return labelled(title, []block{para(readRST(joinLines(body)))}), next
	}
	return r.labelled(title, "", body, depth), next
}
