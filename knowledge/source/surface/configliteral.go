package surface

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

const (
	// fewestSettings is the minimum number of settings in a literal.
	fewestSettings = 3
	// deepestSetting bounds the nesting of their sections.
	deepestSetting = 6
)

// literalSettings are the settings of a literal.
type literalSettings struct {
	*finder

	of        string
	described bool // an object describes each one: {"value": 80, "help": "The port."}
	facts     []source.Fact
	remarked  int
}

// settingLiterals adds the settings that literals declare: a variable with a description of each, or the object of a file
// of defaults with comments.
func (f *finder) settingLiterals() {
	if f.Scoped {
		return
	}
	for _, n := range f.Body {
		if n.Kind != Bind || n.X == nil || len(n.Args) != 1 {
			continue
		}
		s := &literalSettings{finder: f, of: last(n.Args[0])}
		whole := s.of == f.Routes.Default || Dotted(n.Args[0]) == "module.exports"
		if lower := strings.ToLower(s.of); !whole && (strings.Contains(lower, "config") || strings.Contains(lower, "setting") || lower == "conf") {
			s.described = true
		} else if !whole || !f.Defaults {
			continue
		}
		if s.section("", f.follow(n.X), nil, 0); len(s.facts) < fewestSettings || !s.described && !f.Configures && 2*s.remarked < len(s.facts) {
			continue
		}
		f.tell(source.Fact{Kind: source.Config, ID: s.of, Of: source.Program}, n)
		for _, fact := range s.facts {
			f.tell(fact, &Node{Line: int32(fact.Line)})
		}
	}
}

// entries returns the pairs of a literal, or of the only argument of a call: {"a": 1}, OrderedDict([("a", 1)]).
func entries(n *Node) (out []*Node) {
	if n != nil && n.Kind == Call && len(n.Args) == 1 {
		n = n.Args[0]
	}
	if n == nil || n.Kind != Map && n.Kind != List {
		return nil
	}
	if all := property([]*Node{n}, "properties"); all != nil { // of a schema
		return entries(all)
	}
	for _, a := range n.Args {
		switch {
		case a.Kind == Bind && a.X != nil && (a.Key != "" || len(a.Args) == 1 && a.Args[0].Kind == Text):
			out = append(out, a)
		case n.Kind == List && a.Kind == List && len(a.Args) == 2 && a.Args[0].Kind == Text:
			pair := *a
			pair.Kind, pair.X, pair.Args = Bind, a.Args[1], a.Args[:1]
			out = append(out, &pair)
		}
	}
	return out
}

func (s *literalSettings) section(prefix string, n *Node, above source.Remark, depth int) {
	if depth > deepestSetting {
		return
	}
	end := n.From
	for _, p := range entries(n) {
		s.Step()
		name := p.Key
		if name == "" {
			name = p.Args[0].Text
		}
		fact := source.Fact{Kind: source.Config, Name: prefix + name, Of: s.of, Line: int(p.Line)}
		nested := entries(p.X)
		if s.described {
			switch {
			case strings.HasPrefix(name, "-"):
			case s.describes(&fact, []*Node{p.X}):
				s.facts = append(s.facts, fact)
			default:
				s.section(fact.Name+".", p.X, nil, depth+1)
			}
			continue
		}
		own := source.RemarkIn(s.Src[end:p.From])
		end = p.To
		if fact.Help = own.Of(name); fact.Help == "" {
			fact.Help = above.Item(name)
		}
		if fact.Help != "" {
			s.remarked++
		}
		if fact.Default, fact.Usage = s.shown(p.X); len(nested) > 0 {
			fact.Default, fact.Usage = "", ""
		}
		if len(nested) == 0 || fact.Help != "" {
			s.facts = append(s.facts, fact)
		}
		s.section(fact.Name+".", p.X, own, depth+1)
	}
}

// describes reads an object that describes a setting; false for others.
func (s *literalSettings) describes(fact *source.Fact, object []*Node) bool {
	value, help, variable := property(object, "value", "default"), property(object, "help", "description", "doc"), property(object, "env")
	if value == nil || help == nil && variable == nil {
		return false
	}
	fact.Default, fact.Usage = s.shown(value)
	fact.Help, _ = s.literal(help)
	if typ := property(object, "type", "format"); typ != nil {
		if fact.Value = Dotted(typ); typ.Kind == Text {
			fact.Value = typ.Text
		}
	}
	if name, ok := s.text(variable); ok && IsVariable(name) {
		s.tell(source.Fact{Kind: source.Env, Name: name, Default: fact.Default, Usage: fact.Usage, Help: fact.Help}, object[0])
	}
	return true
}

// shown returns the default of a setting, as written if it is no text: also null and an empty list.
func (s *literalSettings) shown(n *Node) (value, usage string) {
	if c := s.constant(n); c != nil && !s.varying[n.Text] {
		n = c
	}
	switch {
	case n.Kind == Text && n.Text == "":
		return `""`, ""
	case n.Kind == List, n.Kind == Map, n.Kind == Name && (s.Nothing[n.Text] || n.Is("false")):
		if value = s.Written(n); len(value) > longestType {
			value = ""
		}
		return value, ""
	}
	return s.otherwise(n)
}
