package python

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Plan is the information from which tests of one function or method are generated.
type Plan struct {
	testgen.Target `json:"-"`

	Name  string `json:"n"` // in the module
	Class string `json:"c,omitempty"`
	// Receiver describes the constructor of a method's object; nil if none is needed.
	Receiver   *Receiver `json:"r,omitempty"`
	Property   bool      `json:"y,omitempty"`
	Params     []Param   `json:"p,omitempty"`
	Result     *Type     `json:"o,omitempty"`
	Hypothesis bool      `json:"h,omitempty"`
}

// Receiver is a class with its constructor's parameters.
type Receiver struct {
	Class  string  `json:"c"`
	Params []Param `json:"p,omitempty"`
}

// wrappers are decorators that keep a function's behaviour.
var wrappers = []string{
	"staticmethod", "classmethod", "property", "cached_property", "lru_cache", "cache", "overload", "override", "final", "wraps", "deprecated", "typechecked",
	"validate_call", "singledispatch", "total_ordering", "no_type_check",
}

// Target implements testgen.Module.
func (m *module) Target(symbol string) (*testgen.Target, error) {
	f := m.functions[symbol]
	if f == nil {
		return nil, nil
	}
	p := &Plan{Name: f.Name, Class: f.class, Hypothesis: m.project.hypothesis, Target: testgen.Target{
		Spec: spec.Target{Lang: Language.Name, Pkg: f.file.imports, Symbol: symbol}, Language: m.project.python, File: f.file.path,
		CodeFile: codeFile(m.project.testsDir(), f.file.imports), Doc: synopsis(f.Doc), Said: f.Doc, Signature: f.Signature, Taste: taste, Within: "project",
	}}
	t := &p.Target
	t.Plan = p
	s := signatureOf(f.Symbol)
	if t.Reason = m.fit(p, f, &s); t.Reason != "" {
		return t, nil
	}
	var err error
	if t.Reason, t.Reaches, err = m.follow(symbol); err != nil || t.Reason != "" {
		return t, err
	}
	if err := m.made(p, f); err != nil || t.Reason != "" {
		return t, err
	}
	if err := m.findLaws(p, f); err != nil {
		return nil, err
	}
	t.Reaches = testgen.SortNames(t.Reaches)
	if err := m.pool(p, f); err != nil {
		return nil, err
	}
	if len(t.Candidates) == 0 {
		t.Reason = "no arguments are known for it: its parameters have no annotations that say what to give, and no example shows any"
	}
	t.Rationale = testgen.Rationale(testgen.LastName(p.Spec.Symbol), strings.TrimSuffix(p.Doc, "."))
	return t, nil
}

// PlanOf returns the plan of a Python target; nil for other languages.
func PlanOf(t *testgen.Target) *Plan {
	p, _ := t.Plan.(*Plan)
	return p
}

// made follows the constructor of a method's class, which the result depends on too.
func (m *module) made(p *Plan, f *function) error {
	if p.Receiver == nil {
		return nil
	}
	class := strings.TrimSuffix(f.symbol, testgen.LastName(f.symbol))
	for i := range f.file.Symbols {
		s := &f.file.Symbols[i]
		name, ok := strings.CutPrefix(s.Name, f.class+".")
		if !ok || name != "__init__" && name != "__post_init__" && name != "__new__" && s.Kind != source.Field {
			continue
		}
		reason, more, err := m.follow(class + name)
		if err != nil {
			return err
		}
		if p.Reason = reason; reason != "" {
			return nil
		}
		p.Reaches = append(append(p.Reaches, more...), testgen.Name{Dir: m.dir, Name: class + name})
	}
	return nil
}

func synopsis(doc string) string {
	doc, _, _ = strings.Cut(strings.TrimSpace(doc), "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	if strings.HasPrefix(doc, ">>>") {
		return ""
	}
	for i := 0; i+1 < len(doc); i++ {
		if (doc[i] == '.' || doc[i] == '!') && doc[i+1] == ' ' && !strings.HasSuffix(doc[:i], "e.g") && !strings.HasSuffix(doc[:i], "i.e") {
			doc = doc[:i+1]
		}
	}
	return testgen.Clip(doc, 240)
}

// fit reads the signature of a function and returns a reason if it cannot be tested.
func (m *module) fit(p *Plan, f *function, s *signature) string {
	r := &resolver{aliases: f.file.aliases}
	switch {
	case !s.ok:
		return "its parameters cannot be read"
	case s.async:
		return "is a coroutine"
	case f.Guard != "" || f.file.Guard != "":
		return "is there under a condition only"
	case s.has("setter", "deleter", "fixture", "abstractmethod"):
		return "is no function that is called by its name"
	}
	for _, d := range s.decorators {
		if !slices.Contains(wrappers, testgen.LastName(d)) {
			return "is replaced by its decorator @" + testgen.Clip(d, 60)
		}
	}
	if f.class != "" && !s.has("staticmethod") {
		if !s.bound {
			return "its parameters cannot be read"
		}
		if !s.has("classmethod") {
			if p.Receiver = m.receiver(f, r); p.Receiver == nil {
				return "is a method of " + f.class + ", of which no object can be made from literals"
			}
		}
	}
	p.Property = s.has("property", "cached_property")
	if p.Params = r.params(s.params); s.result != "" {
		p.Result = r.resolve(tokens(s.result))
	}
	if p.Result != nil && p.Result.Kind == typeNone {
		return "returns nothing that could be compared"
	}
	for _, one := range p.Params {
		if one.Type != nil && !one.Optional && !one.Rest && !one.Type.makeable() {
			return "takes " + testgen.Clip(one.Type.String(), 60) + ", of which causal can make no value"
		}
	}
	return ""
}

// params resolves annotations. A default value gives the type of a parameter without one.
func (r *resolver) params(list []Param) []Param {
	out := slices.Clone(list)
	for i := range out {
		p := &out[i]
		switch {
		case p.Type != nil:
			r.steps = 0
			p.Type = r.resolve(p.Type.annotation)
		case p.hasInitial && p.initial != nil:
			p.Type, p.Guessed = &Type{Kind: typed(p.initial).Type}, true
		}
	}
	return out
}

// records are decorators of classes whose fields are constructor parameters.
var records = []string{"dataclass", "define", "frozen", "mutable", "attrs"}

// receiver returns how a method's object is constructed; nil if literals are not enough.
func (m *module) receiver(f *function, r *resolver) *Receiver {
	class := f.file.symbols[f.class]
	if class == nil || class.Kind != source.Class {
		return nil
	}
	record := false
	for _, h := range class.Headers() {
		for _, note := range h.Notes {
			name, _, _ := strings.Cut(note[1:], "(")
			if record = record || slices.Contains(records, testgen.LastName(name)); !record && !slices.Contains(wrappers, testgen.LastName(name)) {
				return nil
			}
		}
	}
	for _, b := range class.Bases {
		switch testgen.LastName(b) {
		case "NamedTuple":
			record = true
		case "object", "Generic", "str", "int", "float", "ABC":
		default:
			return nil // a base class may define the constructor
		}
	}
	out := &Receiver{Class: f.class}
	if init := f.file.symbols[f.class+".__init__"]; init != nil {
		s := signatureOf(init)
		if !s.bound {
			return nil
		}
		out.Params = r.params(s.params)
	} else if record {
		out.Params = m.fields(f, r)
	} else if f.file.symbols[f.class+".__new__"] != nil {
		return nil
	}
	for _, p := range out.Params {
		if !p.Optional && !p.Rest && (p.Type == nil || !p.Type.makeable()) {
			return nil
		}
	}
	return out
}

func (m *module) fields(f *function, r *resolver) (out []Param) {
	for i := range f.file.Symbols {
		s := &f.file.Symbols[i]
		name, ok := strings.CutPrefix(s.Name, f.class+".")
		if !ok || s.Kind != source.Field || strings.Contains(name, ".") {
			continue
		}
		h := s.Headers()
		if len(h) == 0 || h[0].Result == "" || strings.Contains(h[0].Result, "ClassVar") {
			continue
		}
		p := paramOf(source.Parameter{Name: strings.TrimPrefix(name, "_"), Type: h[0].Result, Default: h[0].Value})
		p.Type = r.resolve(p.Type.annotation)
		out = append(out, p)
	}
	return out
}

// Project returns the directory in which the tests run.
func (p *Plan) Project() string { return path.Dir(path.Dir(p.CodeFile)) }

// Root returns the root directory of imports.
func (p *Plan) Root() string {
	dir := path.Dir(p.File)
	parts := strings.Count(p.Spec.Pkg, ".")
	if path.Base(p.File) == "__init__.py" {
		parts++
	}
	for range parts {
		dir = path.Dir(dir)
	}
	return dir
}
