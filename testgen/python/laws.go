package python

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// pairs are parts of the names of inverse functions, the writer first.
var pairs = [][2]string{
	{"format", "parse"}, {"encode", "decode"}, {"dumps", "loads"}, {"dump", "load"}, {"to_", "from_"}, {"quote", "unquote"}, {"escape", "unescape"},
	{"serialize", "deserialize"}, {"pack", "unpack"}, {"compress", "decompress"}, {"marshal", "unmarshal"}, {"stringify", "parse"}, {"join", "split"},
	{"flatten", "unflatten"},
}

// settled matches names of functions that should be idempotent.
var settled = lazyregexp.New(`^(?:clean|normali[sz]e|strip|trim|canonical|squeeze|squash|simplify|dedup|unique|uniq|sort|sanitize|abs|lower|upper|to_lower|to_upper|fold|slugify|secure_filename|collapse|dedent|unaccent|asciify|camel|snake|kebab|underscore|parameterize)`)

// findLaws finds the laws that names and types suggest. Running them decides whether they hold.
func (m *module) findLaws(p *Plan, f *function) error {
	if p.Receiver != nil || len(p.Params) == 0 || p.Property {
		return nil
	}
	if slices.ContainsFunc(p.Params[1:], needed) {
		return nil
	}
	in := p.Params[0]
	same := p.Result != nil && in.Type != nil && in.Type.Kind == p.Result.Kind
	if settled.MatchString(testgen.LastName(f.Name)) && same && !in.Rest && !in.Keyword {
		p.Laws = append(p.Laws, testgen.Law{Law: spec.Idempotent, Why: "a second time there is nothing left to do"})
	}
	if back, reads := m.partner(f); back != nil && !in.Rest && !in.Keyword {
		why := testgen.LastName(back.Name) + "() makes of what " + testgen.LastName(f.Name) + "() gives what it was given"
		if reads {
			why = "what " + testgen.LastName(back.Name) + "() writes, " + testgen.LastName(f.Name) + "() reads as the same"
		}
		reason, others, err := m.follow(back.symbol)
		if err != nil {
			return err
		}
		if reason == "" {
			p.Laws = append(p.Laws, testgen.Law{Law: spec.RoundTrip, Inverse: back.Name, Why: why})
			p.Reaches = append(append(p.Reaches, others...), testgen.Name{Dir: m.dir, Name: back.symbol})
		}
	}
	if p.Hypothesis && in.Type != nil && (in.Type.Kind == typeStr || in.Type.Kind == typeBytes) && !in.Keyword {
		p.Laws = append(p.Laws, testgen.Law{Law: spec.NoPanic, Why: "takes text that anybody may have written"})
	}
	return nil
}

// partner returns the function whose name suggests the inverse. reads reports whether f parses its output.
func (m *module) partner(f *function) (back *function, reads bool) {
	prefix := strings.TrimSuffix(f.symbol, testgen.LastName(f.symbol))
	for _, other := range testgen.Partners(testgen.LastName(f.Name), pairs) {
		if g := m.functions[prefix+other.Name]; g != nil && g != f && m.callable(g) {
			return g, other.Reads
		}
	}
	return nil, false
}

func needed(p Param) bool { return !p.Optional && !p.Rest }

// callable reports whether a function can be called with one argument and no object.
func (m *module) callable(f *function) bool {
	s := signatureOf(f.Symbol)
	if f.class != "" && !s.has("staticmethod", "classmethod") || !s.ok || s.async || len(s.params) == 0 || s.params[0].Keyword {
		return false
	}
	return !slices.ContainsFunc(s.params[1:], needed)
}
