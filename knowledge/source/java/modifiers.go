package java

// The relevant modifiers; all others are only part of the signature.
const (
	public = 1 << iota
	protected
	private
	static
	final
	other
	access = public | protected | private
)

var modifierBits = map[string]int{
	"public": public, "protected": protected, "private": private, "static": static, "final": final,
	"abstract": other, "native": other, "synchronized": other, "transient": other, "volatile": other,
	"strictfp": other, "default": other,
}

// modifiers are the modifiers and annotations of a declaration.
type modifiers struct {
	span  // all tokens
	bits  int
	notes span // annotations, as a range of parser.notes
}

type annotation struct {
	span
	name string // the last identifier
	args int32  // index of the '(', or 0
}

// reserved are words that never name a type or member.
var reserved = map[string]bool{
	"assert": true, "break": true, "case": true, "catch": true, "class": true, "const": true, "continue": true,
	"do": true, "else": true, "enum": true, "extends": true, "finally": true, "for": true, "goto": true, "if": true,
	"implements": true, "import": true, "instanceof": true, "interface": true, "new": true, "package": true,
	"return": true, "super": true, "switch": true, "this": true, "throw": true, "throws": true, "try": true,
	"while": true, "true": true, "false": true, "null": true,
	"public": true, "protected": true, "private": true, "static": true, "final": true, "abstract": true,
	"native": true, "synchronized": true, "transient": true, "volatile": true, "strictfp": true, "default": true,
}

// modifiers reads modifiers and annotations. The @ of @interface does not count.
func (p *parser) modifiers() modifiers {
	m := modifiers{span: span{From: p.at, To: p.at}, notes: span{From: int32(len(p.notes)), To: 0}}
	for {
		i := p.at
		switch {
		case p.kind(i) == '@' && p.kind(i+1) == word && p.text(i+1) != "interface":
			p.at = p.annotationEnd(i)
			p.notes = append(p.notes, p.annotation(i, p.at))
		case p.kind(i) != word:
			return p.close(m)
		case modifierBits[p.text(i)] != 0:
			m.bits |= modifierBits[p.text(i)]
			p.at++
		case p.text(i) == "sealed" && p.kind(i+1) == word && p.startsType(i+1):
			p.at++
		case p.text(i) == "non" && p.kind(i+1) == '-' && p.isWord(i+2, "sealed"):
			p.at += 3
		default:
			return p.close(m)
		}
	}
}

func (p *parser) close(m modifiers) modifiers {
	m.To, m.notes.To = p.at, int32(len(p.notes))
	return m
}

func (p *parser) startsType(i int32) bool {
	s := p.text(i)
	return s == "class" || s == "interface" || modifierBits[s] != 0
}

func (p *parser) annotation(from, to int32) annotation {
	a := annotation{span: span{From: from, To: to}}
	i := from + 1
	for p.kind(i+1) == '.' && p.kind(i+2) == word {
		i += 2
	}
	a.name = p.text(i)
	if p.kind(i+1) == '(' {
		a.args = i + 1
	}
	return a
}

func (p *parser) annotations(m modifiers) []annotation {
	return p.notes[m.notes.From:m.notes.To]
}

func (p *parser) annotated(m modifiers, names map[string]bool) (annotation, bool) {
	for _, a := range p.annotations(m) {
		p.meter.Step()
		if names[a.name] {
			return a, true
		}
	}
	return annotation{}, false
}
