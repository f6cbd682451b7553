package render

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/manual"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

type passage struct {
	manual.Passage
	file string
	// set is the value in a file of defaults.
	set given
}

// passagesOf finds the descriptions of the variables, keys and settings of the operations page. The first document with
// a description counts. It adds the keys of samples that the code does not declare to files.
func passagesOf(f *facts, surfaces []surface, files *settings) map[string]passage {
	names := map[string]bool{}
	for _, e := range environmentOf(surfaces) {
		names[describedName(e.Name)] = true
	}
	for _, e := range keysOf(surfaces) {
		names[e.Name] = true
		for _, h := range e.holders {
			names[strings.TrimSuffix(h.prefix, ".")] = true
		}
	}
	for _, x := range files.all {
		names[x.Name] = true
	}
	delete(names, "")
	delete(names, source.Unknown)
	withoutSystem(names)
	out := map[string]passage{}
	var documents, showing []string
	if len(names) > 0 {
		documents = append(ask(f, survey.FilesFor, survey.ManualList), ask(f, survey.FilesFor, survey.SampleList)...)
	}
	for _, file := range documents {
		if supportsTests(file) || translated.MatchString(file) {
			continue
		}
		about := manual.Find(file, f.blob(file), names)
		if len(about) > 0 && !manual.IsSample(file) {
			showing = append(showing, file)
		}
		for name, found := range about {
			if path.Ext(file) == ".json" && found.Text == "" {
				continue // it only has the key
			}
			if was, there := out[name]; !there || was.Text+was.Default == "" && found.Text+found.Default != "" {
				out[name] = passage{Passage: found, file: file}
			}
		}
	}
	for _, x := range files.all {
		if was, there := out[x.Name]; x.Help != "" && !x.Required && (!there || was.Text == "") {
			out[x.Name] = passage{Passage: manual.Passage{Text: x.Help}, file: x.file}
		}
	}
	files.sampled(f, showing, names, out)
	return out
}

// withoutSystem drops variables of the system whose names documents use as placeholders: "shop [PATH]".
func withoutSystem(names map[string]bool) {
	for _, name := range []string{"PATH", "HOME", "USER", "PWD"} {
		delete(names, name)
	}
}

// translated matches a README in another language: "README.de.md", "README-zh_CN.md".
var translated = lazyregexp.New(`(?i)(?:^|/)readme[._-][a-z]{2}(?:[_-][a-z]{2,4})?\.(?:md|rst)$`)

// describedName returns the name by which documents describe a variable: without a computed beginning.
func describedName(name string) string {
	if rest, ok := strings.CutPrefix(name, source.Unknown); ok && strings.Contains(rest, "_") && !strings.HasPrefix(rest, "_") {
		return rest
	}
	return name
}

// meaning returns the cell with the description of a name, from the code or else from a document, with a link to it.
func (p *operatorPage) meaning(name, help string) string {
	said, there := p.passages[describedName(name)]
	for _, one := range []string{".*", "[]"} { // of a map or list
		if element := p.passages[name+one]; said.Text == "" && element.Text != "" {
			said, there = element, true
		}
	}
	text := brief(redact.Tokens(help))
	if !there || help != "" && manifest.IsSettings(said.file) {
		return text
	}
	if help == "" && said.Text != "" {
		text = "“" + brief(redact.Tokens(said.Text)) + "”"
	}
	to := p.to(said.file)
	if said.Anchor != "" {
		to += "#" + said.Anchor
	}
	link := markdown.Link(markdown.Code(canonical.Path(said.file)), to)
	if text == "" {
		return "see " + link
	}
	return text + " " + link
}

// meaningBytes bounds a description in a table.
const meaningBytes = 240

// brief returns a description, cut after a sentence if it is long.
func brief(text string) string {
	text, cut := opening(text, meaningBytes, ". ", " ")
	if cut {
		text += " …"
	}
	if strings.Count(text, "`")%2 == 1 {
		return markdown.Escape(text)
	}
	return markdown.Sentence(text)
}
