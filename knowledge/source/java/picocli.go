package java

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

var (
	commandAnnotation = map[string]bool{"Command": true}
	optionAnnotation  = map[string]bool{"Option": true}
	mixinAnnotation   = map[string]bool{"Mixin": true, "ArgGroup": true}
)

// picocli reads @Command types and methods. The ID is the name in the file.
func (p *parser) picocli() []source.Fact {
	if !strings.Contains(p.src, "picocli") {
		return nil
	}
	var out []source.Fact
	for _, d := range p.decls {
		if a, ok := p.annotated(d.mods, commandAnnotation); ok && (isType(d.kind) || d.kind == source.Method) {
			out = append(out, p.command(a, d)...)
		}
		if a, ok := p.annotated(d.mods, optionAnnotation); ok && d.scope != "" && a.args != 0 {
			if f, ok := p.option(a, d); ok {
				out = append(out, f)
			}
		}
		if a, ok := p.annotated(d.mods, mixinAnnotation); ok && d.scope != "" && !isType(d.kind) {
			out = append(out, source.Fact{Kind: source.Join, ID: p.shown(p.text(d.head.From)), Of: d.scope, Line: int(p.line(a.From))})
		}
	}
	return out
}

// command reads @Command(name = "x", description = "…", subcommands = {A.class}).
func (p *parser) command(a annotation, d decl) []source.Fact {
	f := source.Fact{Kind: source.Command, ID: d.name, Line: int(p.line(a.From))}
	var joins []source.Fact
	if d.kind == source.Method {
		f.Name = d.name[strings.LastIndexByte(d.name, '.')+1:]
		joins = append(joins, source.Fact{Kind: source.Join, ID: d.name, Of: d.scope, Line: f.Line})
	}
	for attribute, s := range p.attributes(a) {
		switch attribute {
		case "name":
			f.Name = p.single(s)
		case "description":
			f.Help = p.sentence(s)
		case "aliases":
			var also []string
			for _, i := range p.strings(s) {
				also = append(also, p.literal(i))
			}
			f.Also = strings.Join(also, ", ")
		case "hidden":
			if p.isWord(s.From, "true") {
				f.Usage = source.Hidden
			}
		case "subcommands":
			for i := s.From; i < s.To; i++ {
				if p.kind(i) == word && p.kind(i+1) == '.' && p.isWord(i+2, "class") && !p.isWord(i, "HelpCommand") {
					joins = append(joins, source.Fact{Kind: source.Join, ID: p.shown(p.text(i)), Of: d.name, Line: int(p.line(i))})
				}
			}
		}
	}
	if f.Name == "" {
		return joins // a mixin of other commands
	}
	return append(joins, f)
}

// option reads @Option(names = {"-p", "--port"}, description = "…", defaultValue = "80").
func (p *parser) option(a annotation, d decl) (source.Fact, bool) {
	f := source.Fact{Kind: source.Flag, Of: d.scope, Line: int(p.line(a.From))}
	var also []string
	for attribute, s := range p.attributes(a) {
		switch attribute {
		case "names":
			for _, i := range p.strings(s) {
				if name := p.literal(i); strings.HasPrefix(name, "--") && !strings.HasPrefix(f.Name, "--") {
					if f.Name != "" {
						also = append(also, f.Name)
					}
					f.Name = name
				} else if f.Name == "" {
					f.Name = name
				} else {
					also = append(also, name)
				}
			}
		case "description":
			f.Help = p.sentence(s)
		case "defaultValue":
			f.Default = p.single(s)
		case "paramLabel":
			f.Value = p.single(s)
		case "hidden":
			if p.isWord(s.From, "true") {
				return source.Fact{}, false
			}
		}
	}
	if typ := p.text(d.head.From); f.Value == "" && d.kind == source.Field && typ != "boolean" && typ != "Boolean" && typ != "boolean[]" {
		f.Value = d.name[strings.LastIndexByte(d.name, '.')+1:]
	}
	f.Also = strings.Join(also, ", ")
	return f, strings.HasPrefix(f.Name, "-")
}

func (p *parser) single(s span) string {
	if s.To-s.From != 1 {
		return ""
	}
	return p.literal(s.From)
}

func (p *parser) sentence(s span) string {
	var b strings.Builder
	for _, i := range p.strings(s) {
		b.WriteString(p.literal(i) + " ")
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
