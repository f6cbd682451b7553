package render

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// hasSection reports whether a symbol has more documentation than its line in the list.
func (p *page) hasSection(e *entry) bool {
	switch {
	case e.Kind == source.Reexport:
		return false
	case isValue(e.Symbol), e.Kind == source.Field, e.Kind == source.Macro:
		return len(e.members) > 0 || p.saysMore(e) || len(p.shown[e.Name]) > 0
	}
	return e.Doc != "" || e.Deprecated != "" || len(e.members) > 0 || !oneLine(e.Signature) || len(p.shown[e.Name]) > 0
}

// saysMore reports whether the documentation of an entry says more than its line.
func (p *page) saysMore(e *entry) bool {
	return e.Doc != "" && len(strings.Fields(p.docOf(e).Text())) > len(strings.Fields(p.docOf(e).Summary()))
}

func isFunction(s *node.Symbol) bool { return s.Kind == source.Func || s.Kind == source.Method }

func isValue(s *node.Symbol) bool { return s.Kind == source.Const || s.Kind == source.Var }

// sameEverywhere reports whether all Markdown renderers derive this anchor: GitHub keeps non-ASCII letters and runs of
// dashes, Python-Markdown does not.
func sameEverywhere(slug string) bool {
	beyond := func(r rune) bool { return r > unicode.MaxASCII }
	return slug != "" && slug == strings.Trim(slug, "-") && !strings.Contains(slug, "--") && !strings.ContainsFunc(slug, beyond)
}

// anchor returns the anchor of a symbol's section. Ambiguous headings get an explicit anchor, since renderers number
// and derive them differently.
func (p *page) anchor(name string) string {
	code := markdown.Code(name)
	marks := len(code) - len(strings.TrimLeft(code, "`"))
	shown := strings.TrimSpace(code[marks : len(code)-marks])
	slug := p.slugs.Slug(shown)
	if slug == markdown.Slug(shown) && sameEverywhere(slug) && !strings.HasPrefix(slug, ownAnchor) {
		return slug
	}
	return ownAnchor + slug
}

const ownAnchor = "symbol-"

// name returns a symbol as its users write it. If unknown, the name omits a file that is private by its name.
func (p *page) name(s *node.Symbol) string {
	if len(s.As) > 0 {
		return s.As[0]
	}
	if prefix := source.Prefix(s.File, true); source.TraitsOfFile(s.File).Underscored && strings.HasPrefix(prefix, "_") {
		return strings.TrimPrefix(s.Name, prefix)
	}
	return s.Name
}

func (p *page) itemName(e *entry) string {
	code := p.name(e.Symbol)
	if e.anchor == "" && e.Doc != "" && isFunction(e.Symbol) {
		code = inLine(e.Symbol)
	}
	code = markdown.Code(code)
	if e.anchor != "" {
		return "[" + code + "](" + e.home + "#" + e.anchor + ")"
	}
	return code
}

// about returns the first sentence of a documentation and a constant's value, or else the declaration.
func (p *page) about(e *entry) string {
	s := e.Symbol
	text := warned(s, p.docOf(e).Summary())
	switch _, value, ok := strings.Cut(s.Signature, " = "); {
	case ok && s.Kind == source.Const && oneLine(s.Signature):
		text = strings.TrimSpace(text + " " + markdown.Code(strings.TrimSuffix(value, ";")))
	case s.Kind == source.Reexport:
		text = strings.TrimSpace(text + " " + p.origin(s))
	case text == "":
		text = p.declaration(s)
	}
	var others []string
	shown := p.name(s)
	for _, a := range slices.Concat(s.As, s.Aliases) {
		if a != shown && len(a) <= len(shown) { // a longer alias is only its origin
			others = append(others, markdown.Code(a))
		}
	}
	if more := len(others) - manyAliases; more > 1 {
		others = append(others[:manyAliases], "others")
	}
	if len(others) > 0 {
		if last, _ := utf8.DecodeLastRuneInString(text); unicode.IsLetter(last) || unicode.IsDigit(last) {
			text += "."
		}
		text = strings.TrimSpace(text + " Also as " + list(others) + ".")
	}
	return text
}

// manyAliases bounds the aliases on a symbol's line.
const manyAliases = 8

// docOf parses an entry's documentation once.
func (p *page) docOf(e *entry) markdown.Doc {
	if !e.read {
		e.doc, e.read = markdown.Read(e.Doc, p.markupOf(e.Symbol)), true
	}
	return e.doc
}

// warned adds the deprecation warning.
func warned(s *node.Symbol, text string) string {
	if s.Deprecated != "" && !strings.HasPrefix(text, "**Deprecated") {
		text = strings.TrimSpace("**Deprecated.** " + text)
	}
	return text
}

// declaration replaces a missing description; empty if it only repeats the name.
func (p *page) declaration(s *node.Symbol) string {
	if oneLine(s.Signature) && s.Signature != strings.TrimPrefix(s.Name, source.Prefix(s.File, true)) {
		return markdown.Code(s.Signature)
	}
	return ""
}

// silent explains names without a description once per list, without a number: branches would conflict on it.
func (p *page) silent(list []*entry) {
	if slices.ContainsFunc(list, func(e *entry) bool { return p.about(e) == "" }) {
		p.line("Symbols without a description have no documentation in the code.")
	}
}

func (p *page) origin(s *node.Symbol) string {
	if s.From == p.node.Path || s.From == "" {
		return markdown.Code(shorten(strings.ReplaceAll(s.Signature, "\n", " ")))
	}
	return "from " + p.moduleLink(s.From)
}

// languagesOf returns, by file, the languages that differ from the module's.
func languagesOf(n *node.Node) map[string]string {
	out := map[string]string{}
	for _, f := range n.Sources {
		if f.Language != "" {
			out[path.Base(f.Path)] = f.Language
		}
	}
	return out
}

func (p *page) languageOf(s *node.Symbol) string {
	return cmp.Or(p.languages[s.File], p.node.Language)
}

func (p *page) sourceLink(s *node.Symbol) string {
	if s.Source != "" {
		return p.config.fileLink(p.path, s.Source, s.At, s.Lines)
	}
	return p.wayTo(s.File, s.At, s.Lines)
}

// symbol writes the section of one symbol with its members. Its length is independent of the rest of the page.
func (p *page) symbol(b *strings.Builder, e *entry) {
	if p.divides(e) && p.index.Parts[p.part].From != "" { // its own page documents it
		p.headingOf(b, 3, e)
		b.WriteString(paragraph)
	} else {
		p.section(b, 3, e)
	}
	if elsewhere := p.elsewhere(e); elsewhere != "" {
		b.WriteString(elsewhere + paragraph)
	}
	p.members(b, e)
}

func (p *page) section(b *strings.Builder, level int, e *entry) {
	p.headingOf(b, level, e)
	language := p.languageOf(e.Symbol)
	signature, cutSignature := declared(e.Signature, language)
	if made := e.constructor(); made != nil && len(e.Signature)+len(made.Signature) <= signatureBytes {
		signature = markdown.Fence(language, e.Signature+"\n"+wrapped(made.Signature))
	}
	doc, cutDoc := p.docText(e, p.markupOf(e.Symbol))
	doc = p.fromManual(e) + doc
	overloads, cutOverloads := overloadTexts(e.Overloads, language)
	parts := []string{signature}
	if e.Deprecated != "" && !strings.Contains(doc, "Deprecated:") {
		parts = append(parts, deprecation(e.Deprecated, language))
	}
	toSource := "Source"
	if cutDoc || cutSignature || cutOverloads {
		toSource = "… The rest is in the source"
	}
	for _, more := range []string{p.inheritedFrom(e), p.implements(e), p.registeredUnder(e), p.implementedBy(e), p.registeredHere(e), p.alsoInManual(e)} {
		if more != "" {
			doc = strings.TrimSpace(doc + paragraph + more)
		}
	}
	if doc != "" {
		parts = append(parts, doc)
	}
	parts = append(parts, overloads...)
	parts = append(parts, markdown.Link(toSource, p.sourceLink(e.Symbol))+onlyWith(e.Guard))
	for _, part := range parts {
		b.WriteString(paragraph)
		b.WriteString(part)
	}
	b.WriteString(paragraph)
	b.WriteString(p.exampleTexts(p.news(e)))
	p.remember(e)
}

func (p *page) headingOf(b *strings.Builder, level int, e *entry) {
	b.WriteString("######"[:level] + " ")
	if strings.HasPrefix(e.anchor, ownAnchor) {
		b.WriteString(`<a id="` + e.anchor + `"></a>`)
	}
	b.WriteString(markdown.Code(p.name(e.Symbol)))
}

// declared returns a declaration as code, cut to signatureBytes.
func declared(signature, language string) (code string, cut bool) {
	signature, cut = opening(signature, signatureBytes, "\n")
	if cut {
		signature += "\n…"
	}
	return markdown.Fence(language, signature), cut
}

// docText returns a symbol's documentation, cut to the size of a section.
func (p *page) docText(e *entry, language string) (text string, cut bool) {
	if len(e.Doc) > docBytes {
		return docOpening(e.Doc, language)
	}
	return p.docOf(e).Text(), false
}

func docOpening(doc, language string) (text string, cut bool) {
	doc, cut = opening(doc, docBytes, paragraph, "\n", " ")
	return markdown.Text(doc, language), cut
}

// overloadTexts returns the documentation of further declarations, each below its declaration.
func overloadTexts(overloads []source.Overload, language string) (texts []string, cut bool) {
	room := overloadBytes
	for _, o := range overloads {
		signature, cutSignature := declared(o.Signature, language)
		doc, cutDoc := docOpening(o.Doc, language)
		if room -= len(signature) + len(doc); room < 0 {
			return texts, true
		}
		texts = append(texts, signature, doc)
		cut = cut || cutSignature || cutDoc
	}
	return texts, cut
}

// deprecation returns the deprecation reason that the documentation lacks.
func deprecation(reason, language string) string {
	if reason == "deprecated" {
		return "**Deprecated.**"
	}
	return "**Deprecated:** " + markdown.Summary(reason, language)
}

// headline returns the first line of a declaration, with preceding annotations.
func headline(signature string) string {
	for at := 0; ; {
		end := strings.IndexByte(signature[at:], '\n')
		if end < 0 {
			return strings.ReplaceAll(signature, "\n", " ")
		}
		line := signature[at : at+end]
		at += end + 1
		if !strings.HasPrefix(line, "@") && !strings.HasPrefix(line, "#[") {
			return strings.ReplaceAll(signature[:at], "\n", " ") + "…"
		}
	}
}

// longLine is the length in characters at which a declaration is shortened.
const longLine = 160

func oneLine(signature string) bool {
	return !strings.Contains(signature, "\n") && len(signature) <= longLine
}

func shorten(s string) string {
	if len(s) <= longLine {
		return s
	}
	r := []rune(s)
	if len(r) <= longLine {
		return s
	}
	return string(r[:longLine-1]) + "…"
}
