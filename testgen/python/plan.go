package python

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// Version identifies this generator in digests. Raise it when the same source gives other candidates or other code.
const Version = "det/3"

// Law is a law that a function may satisfy.
type Law struct {
	Law     spec.Law `json:"l"`
	Inverse string   `json:"i,omitempty"` // function of the same file that reverses the target in a round trip
	Why     string   `json:"w"`
}

// Plan is the information from which tests of one function or method are generated.
type Plan struct {
	Symbol   string `json:"s"`
	File     string `json:"-"`
	Module   string `json:"m"` // import name
	Name     string `json:"n"` // in the module
	Class    string `json:"c,omitempty"`
	CodeFile string `json:"f"`
	Python   string `json:"v"`
	Doc      string `json:"d,omitempty"`
	said     string // full documentation
	Text     string `json:"t,omitempty"` // signature

	// Reason is why no tests can be generated; empty otherwise.
	Reason  string         `json:"x,omitempty"`
	Reaches []testgen.Name `json:"-"`

	// Receiver describes the constructor of a method's object; nil if none is needed.
	Receiver   *Receiver           `json:"r,omitempty"`
	Property   bool                `json:"y,omitempty"`
	Params     []Param             `json:"p,omitempty"`
	Result     *Type               `json:"o,omitempty"`
	Hypothesis bool                `json:"h,omitempty"`
	Laws       []Law               `json:"l,omitempty"`
	Pool       []testgen.Candidate `json:"-"`
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

// planOf returns the plan of a symbol; nil when there is no such function.
func (m *module) planOf(symbol string) (*Plan, error) {
	f := m.functions[symbol]
	if f == nil {
		return nil, nil
	}
	p := &Plan{
		Symbol: symbol, File: f.file.path, Module: f.file.imports, Name: f.Name, Class: f.class, Python: m.project.python, Doc: synopsis(f.Doc), said: f.Doc, Text: f.Signature,
		CodeFile: codeFile(m.project.testsDir(), f.file.imports), Hypothesis: m.project.hypothesis,
	}
	s := signatureOf(f.Symbol)
	if p.Reason = m.fit(p, f, &s); p.Reason != "" {
		return p, nil
	}
	var err error
	if p.Reason, p.Reaches, err = m.follow(symbol); err != nil || p.Reason != "" {
		return p, err
	}
	if err := m.made(p, f); err != nil || p.Reason != "" {
		return p, err
	}
	if err := m.findLaws(p, f); err != nil {
		return nil, err
	}
	slices.SortFunc(p.Reaches, func(a, b testgen.Name) int {
		return cmp.Or(strings.Compare(a.Dir, b.Dir), strings.Compare(a.Name, b.Name))
	})
	p.Reaches = slices.Compact(p.Reaches)
	if err := m.pool(p, f); err != nil {
		return nil, err
	}
	if len(p.Pool) == 0 {
		p.Reason = "no arguments are known for it: its parameters have no annotations that say what to give, and no example shows any"
	}
	return p, nil
}

// made follows the constructor of a method's class, which the result depends on too.
func (m *module) made(p *Plan, f *function) error {
	if p.Receiver == nil {
		return nil
	}
	class := strings.TrimSuffix(f.symbol, last(f.symbol))
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
		if !slices.Contains(wrappers, last(d)) {
			return "is made into something else by @" + testgen.Clip(d, 60)
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
			return "takes a " + testgen.Clip(one.Type.String(), 60) + ", of which no value can be written down"
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
			p.Type = &Type{Kind: typed(p.initial).Type}
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
			if record = record || slices.Contains(records, last(name)); !record && !slices.Contains(wrappers, last(name)) {
				return nil
			}
		}
	}
	for _, b := range class.Bases {
		switch last(b) {
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
	parts := strings.Count(p.Module, ".")
	if path.Base(p.File) == "__init__.py" {
		parts++
	}
	for range parts {
		dir = path.Dir(dir)
	}
	return dir
}
