package typescript

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// pairs are prefixes or suffixes of the names of inverse functions.
var pairs = [][2]string{
	{"stringify", "parse"}, {"encode", "decode"}, {"serialize", "deserialize"}, {"serialise", "deserialise"}, {"to", "from"}, {"escape", "unescape"}, {"format", "parse"},
	{"pack", "unpack"}, {"compress", "decompress"}, {"marshal", "unmarshal"}, {"quote", "unquote"}, {"stringify", "destringify"},
}

// settled matches names of functions that should be idempotent.
var settled = lazyregexp.New(`^(clean|normali[sz]e|trim|canonical|canonicali[sz]e|squeeze|collapse|dedup|dedupe|unique|uniq|sort|sanitize|abs|lower|upper|toLower|toUpper|slugify|camel|kebab|snake|pascal|deburr|with(out)?[A-Z]|strip|clamp|round|floor|ceil)`)

// findLaws finds the laws that types and names suggest. Running them decides whether they hold.
func (p *Package) findLaws(plan *Plan) {
	if len(plan.Params) == 0 || plan.Params[0].Rest {
		return
	}
	for _, in := range plan.Params[1:] {
		if !in.Optional {
			p.takesText(plan)
			return
		}
	}
	in := plan.Params[0].Type
	if plan.Result != nil && plan.Result.Text == in.Text && !plan.Late && in.writable() && settled.MatchString(testgen.LastName(plan.Name)) {
		plan.Laws = append(plan.Laws, testgen.Law{Law: spec.Idempotent, Why: "a second time there is nothing left to do"})
	}
	if law := p.roundTrip(plan); law != nil {
		plan.Laws = append(plan.Laws, *law)
	}
	p.takesText(plan)
}

// roundTrip finds the function whose name and types suggest the inverse.
func (p *Package) roundTrip(plan *Plan) *testgen.Law {
	base, own := "", plan.Name
	if i := strings.LastIndexByte(own, '.'); i >= 0 {
		base, own = own[:i+1], own[i+1:]
	}
	for _, other := range testgen.Partners(own, pairs) {
		d := p.names[prefix(plan.File)+base+other.Name]
		if !d.target() || d.file.name != plan.File || d.is("*") {
			continue
		}
		inverse := &Plan{}
		if p.signature(inverse, d) != "" || len(inverse.Params) == 0 || inverse.Params[0].Rest {
			continue
		}
		needed := slices.ContainsFunc(inverse.Params[1:], func(in Param) bool { return !in.Optional })
		if needed || !fitting(plan.Result, inverse.Params[0].Type) || !fitting(inverse.Result, plan.Params[0].Type) {
			continue
		}
		if reason, _, err := p.follow(prefix(plan.File) + d.Name); err != nil || reason != "" {
			continue
		}
		return &testgen.Law{
			Law: spec.RoundTrip, Inverse: d.Name, Name: d.exported, Wrapped: inverse.Late,
			Why: "what " + plan.Name + " gives, " + d.Name + " turns back into what it was given",
		}
	}
	return nil
}

// fitting reports whether a result may be passed as a parameter.
func fitting(out, in *Type) bool {
	return out == nil || out.Text == in.Text || "Promise<"+in.Text+">" == out.Text || out.Kind == Any || in.Kind == Any || out.Kind == Opaque && in.Kind != Text && in.Kind != Number
}

// takesText adds the no-panic law to functions of text, if fast-check is available.
func (p *Package) takesText(plan *Plan) {
	if !p.check {
		return
	}
	text := false
	for _, in := range plan.Params {
		switch {
		case in.Optional:
		case in.Type.Kind == Text:
			text = true
		case in.Type.Kind != Number && in.Type.Kind != Boolean || in.Rest:
			return
		}
	}
	if text {
		plan.Laws = append(plan.Laws, testgen.Law{Law: spec.NoPanic, Why: "takes text that anybody may have written"})
	}
}
