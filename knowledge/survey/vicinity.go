package survey

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// vicinity is a module with the modules whose imports lead to it. Results are kept while the module is the last
// requested one, because callers ask about several symbols of a module.
type vicinity struct {
	survey     *Survey
	module     string
	references *source.References

	names     map[string][]string          // of the module, used by each other module
	crossings map[string][]source.Crossing // of each other module: crossings to the module, and to members of unknown type
}

func (s *Survey) around(ctx context.Context, module string) (*vicinity, error) {
	if s.last != nil && s.last.module == module {
		return s.last, nil
	}
	if s.modules[module] == nil {
		return nil, nil
	}
	if err := s.resolve(ctx, []string{module}); err != nil {
		return nil, err
	}
	v := &vicinity{
		survey: s, module: module, references: s.references(s.known[module]),
		names: map[string][]string{}, crossings: map[string][]source.Crossing{},
	}
	for _, m := range s.importer()[module].Code {
		names, ok := s.usesOf(m, module)
		if !ok {
			names = []string{anything}
		}
		v.names[m] = names
	}
	s.last = v
	return v, nil
}

func (s *Survey) references(k *Module) *source.References {
	return source.NewReferences(k.Module, k.Declared, s.resolvers, s.linker())
}

func (s *Survey) linker() source.Linker { return source.Linker{Table: s.table, Common: s.isCommon} }

func (v *vicinity) declares(symbol string) bool {
	if v == nil {
		return false
	}
	_, ok := v.references.Body(symbol)
	return ok
}

func (v *vicinity) importers(symbol string) []string {
	return slices.DeleteFunc(slices.Clone(v.survey.importer()[v.module].Code), func(m string) bool {
		return !slices.ContainsFunc(v.names[m], func(name string) bool { return mayMean(name, symbol) })
	})
}

// mayMean reports whether a used name may refer to a symbol: an equal name, a wildcard, or the symbol's owner.
func mayMean(name, symbol string) bool {
	prefix, wildcard := strings.CutSuffix(name, "*")
	return name == symbol || wildcard && strings.HasPrefix(symbol, prefix) || strings.HasPrefix(symbol, name+".")
}

func find[T any](ctx context.Context, s *Survey, modules []string, known map[string]T, out func(k *Module) T) error {
	missing := slices.DeleteFunc(slices.Clone(modules), func(m string) bool { _, ok := known[m]; return ok })
	if err := s.resolve(ctx, missing); err != nil {
		return err
	}
	found := make([]T, len(missing))
	if err := inParallel(ctx, len(missing), func(i int) { found[i] = out(s.known[missing[i]]) }); err != nil {
		return err
	}
	for i, m := range missing {
		known[m] = found[i]
	}
	return nil
}

func (v *vicinity) callers(ctx context.Context, symbol string, others []string) ([]source.Referred, error) {
	err := find(ctx, v.survey, others, v.crossings, func(k *Module) []source.Crossing {
		return slices.Clip(slices.DeleteFunc(v.survey.references(k).Crossings(), func(c source.Crossing) bool {
			return c.Module != v.module && c.Module != ""
		}))
	})
	if err != nil {
		return nil, err
	}
	out := v.references.Callers(symbol)
	for _, m := range others {
		var some []source.Referred
		for _, c := range v.crossings[m] {
			// a selection from a value of unknown type may refer to any member of that name
			if c.Module == v.module && c.Name == symbol || c.Module == "" && strings.HasSuffix(symbol, "."+c.Name) {
				some = append(some, source.Referred{Module: m, Name: c.From, Kind: c.Kind, Certain: c.Certain, Path: c.Path, Line: c.Line})
			}
		}
		out = append(out, source.SortReferred(some)...)
	}
	return out, nil
}

func (v *vicinity) callees(_ context.Context, symbol string, _ []string) ([]source.Referred, error) {
	return v.references.Of(symbol), nil
}

func (v *vicinity) implementers(ctx context.Context, symbol string, others []string) ([]source.Implementer, error) {
	all := append([]string{v.module}, others...)
	kin, err := v.survey.kinship(ctx, all)
	if err != nil {
		return nil, err
	}
	return kin.Implementers(source.Use{Module: v.module, Name: symbol}, all), nil
}

// related handles a family about the relations of symbols, in their modules and in those whose imports may lead to
// them. A digest covers spell of each item; the digest of an empty list is not empty.
func related[T any](list func(v *vicinity, ctx context.Context, symbol string, others []string) ([]T, error), spell func(T) string) answers {
	of := func(s *Survey, ctx context.Context, f fact.Fact) (out []T, there bool, err error) {
		v, err := s.around(ctx, f.Of)
		if err != nil || !v.declares(f.Name) {
			return nil, false, err
		}
		out, err = list(v, ctx, f.Name, v.importers(f.Name))
		return out, true, err
	}
	return answers{
		digest: func(s *Survey, ctx context.Context, f fact.Fact) (string, error) {
			found, there, err := of(s, ctx, f)
			if err != nil || !there {
				return "", err
			}
			parts := make([]string, len(found))
			for i := range found {
				parts[i] = spell(found[i])
			}
			return string(source.DigestOf(parts...)), nil
		},
		value: func(s *Survey, ctx context.Context, f fact.Fact) (any, error) {
			found, _, err := of(s, ctx, f)
			return found, err
		},
	}
}

func referred(r source.Referred) string {
	return strings.Join([]string{r.Module, r.Name, string(r.Kind), strconv.FormatBool(r.Outside), strconv.FormatBool(r.Certain)}, "\x00")
}

func implementer(i source.Implementer) string {
	return strings.Join([]string{i.Module, i.Name, strconv.FormatBool(i.Certain)}, "\x00")
}

// Reach holds the relations of one symbol: its references, its referrers and its implementers.
type Reach struct {
	Uses   []source.Referred
	UsedBy []source.Referred // Module and Name are those of the referrer; Name is empty outside of declarations
	// Implementers are the types of the repository that implement or extend it.
	Implementers []source.Implementer
	// Body is the digest of the symbol's content and of everything in its module that it reaches.
	Body source.Digest
}

// Reached holds everything that the body of a symbol reaches, directly or through its module.
type Reached struct {
	Within  []string          // declarations of the module, including the symbol, sorted
	Outside []source.Referred // references to other modules and outside of the repository, sorted
}

// Reached follows the body of a symbol through its module. It returns false if the module has no such symbol.
func (s *Survey) Reached(ctx context.Context, module, symbol string) (r Reached, there bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := s.around(ctx, module)
	if err != nil || v == nil {
		return Reached{}, false, err
	}
	r.Outside, r.Within, there = v.references.Reached(symbol)
	return r, there, nil
}

// mostFollowed limits the dependent modules searched for an interactive answer. Facts cover all of them.
const mostFollowed = 200

// Reach returns the relations of a symbol in its own module and in those whose imports lead to it. It returns false
// if the module has no such symbol.
func (s *Survey) Reach(ctx context.Context, module, symbol string) (Reach, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := s.around(ctx, module)
	if err != nil || !v.declares(symbol) {
		return Reach{}, false, err
	}
	near := v.importers(symbol)
	near = near[:min(len(near), mostFollowed)]
	var out Reach
	out.Body, _ = v.references.Body(symbol)
	if out.Uses, err = v.callees(ctx, symbol, near); err != nil {
		return Reach{}, false, err
	}
	if out.UsedBy, err = v.callers(ctx, symbol, near); err != nil {
		return Reach{}, false, err
	}
	if out.Implementers, err = v.implementers(ctx, symbol, near); err != nil {
		return Reach{}, false, err
	}
	return out, true, nil
}
