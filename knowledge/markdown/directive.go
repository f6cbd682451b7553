package markdown

import "strings"

// admonitions are the directives whose content is shown, under these labels.
var admonitions = map[string]string{
	"note": "Note", "warning": "Warning", "deprecated": "Deprecated since", "versionadded": "Added in", "versionchanged": "Changed in",
	"versionremoved": "Removed in", "seealso": "See also", "tip": "Tip", "hint": "Hint", "important": "Important", "caution": "Caution",
	"danger": "Danger", "attention": "Attention", "error": "Error", "todo": "To do", "admonition": "Note", "rubric": "",
}

// directive reads ".. name:: argument" with its indented content; what is not known is a comment and dropped.
func (r pythonReader) directive(lines []string, i, depth int) ([]block, int) {
	m := rstDirective.FindStringSubmatch(lines[i])
	body, next := indentedBody(lines, i+1, 0)
	if m == nil {
		return nil, next
	}
	name, argument := strings.ToLower(m[1]), m[2]
	switch name {
	case "code", "code-block", "sourcecode", "ipython", "doctest", "testcode", "parsed-literal", "prompt", "math", "literalinclude":
		return []block{{kind: codeBlock, lang: codeBlockLang(name, argument), code: strings.Join(dropOptions(body), "\n")}}, next
	case "rubric":
		return []block{heading(argument)}, next
	}
	title, known := admonitions[name]
	if !known || depth >= maxDepth {
		return nil, next
	}
	if strings.HasSuffix(title, "since") || strings.HasSuffix(title, "in") {
		title = strings.TrimSpace(title + " " + argument)
		argument = ""
	}
	return labelled(title, r.blocks(trimBlank(append([]string{argument}, dropOptions(body)...)), depth+1)), next
}

func codeBlockLang(name, argument string) string {
	switch {
	case name == "math" || name == "parsed-literal" || name == "prompt":
		return "text"
	case argument == "" || argument == "default" || argument == "ipython" || argument == "pycon":
		return "python"
	}
	return argument
}

// dropOptions removes the ":name: value" lines at the head of a directive.
func dropOptions(lines []string) []string {
	for len(lines) > 0 && rstField.MatchString(lines[0]) {
		lines = lines[1:]
	}
	return trimBlank(lines)
}
