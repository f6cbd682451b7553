package survey

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// vicinity is a module with those whose imports lead to it. What was found out of these is kept as long as the module is the one
// that is asked about: whoever asks about one of its symbols asks about others.
type vicinity struct {
	survey     *Survey
	module     string
	references *source.References

	names     map[string][]string          // of the module, that each of the others uses
	crossings map[string][]source.Crossing // of each of the others: those to the module, and those to members of any
}

// around is the vicinity of a module; nil when there is no such module.
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

// references are those of one module. They may be made concurrently for different ones.
func (s *Survey) references(k *Module) *source.References {
	return source.NewReferences(k.Module, k.Declared, s.resolvers, source.Linker{Table: s.table, Common: s.isCommon})
}

// declares reports whether the module is there and declares a symbol.
func (v *vicinity) declares(symbol string) bool {
	if v == nil {
		return false
	}
	_, ok := v.references.Body(symbol)
	return ok
}

// importers lists the other modules whose imports may lead to a symbol.
func (v *vicinity) importers(symbol string) []string {
	return slices.DeleteFunc(slices.Clone(v.survey.importer()[v.module].Code), func(m string) bool {
		return !slices.ContainsFunc(v.names[m], func(name string) bool { return mayMean(name, symbol) })
	})
}

// mayMean reports whether a name that a module rests on may mean a symbol: it is that name, a wildcard, or a type that the
// symbol is a member of.
func mayMean(name, symbol string) bool {
	prefix, wildcard := strings.CutSuffix(name, "*")
	return name == symbol || wildcard && strings.HasPrefix(symbol, prefix) || strings.HasPrefix(symbol, name+".")
}

// find finds out of modules what is not known of them yet.
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

// callers lists what names a symbol, of the module and of others.
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
			// the selection from a value of unknown type may be any member of that name
			if c.Module == v.module && c.Name == symbol || c.Module == "" && strings.HasSuffix(symbol, "."+c.Name) {
				some = append(some, source.Referred{Module: m, Name: c.From, Kind: c.Kind, Certain: c.Certain, Path: c.Path, Line: c.Line})
			}
		}
		out = append(out, source.SortReferred(some)...)
	}
	return out, nil
}

// callees lists what a symbol names, which the module alone decides.
func (v *vicinity) callees(_ context.Context, symbol string, _ []string) ([]source.Referred, error) {
	return v.references.Of(symbol), nil
}

// implementers lists the types of the module and of others that implement or extend a symbol.
func (v *vicinity) implementers(ctx context.Context, symbol string, others []string) ([]source.Implementer, error) {
	all := append([]string{v.module}, others...)
	kin, err := v.survey.kinship(ctx, all)
	if err != nil {
		return nil, err
	}
	return kin.Implementers(source.Use{Module: v.module, Name: symbol}, all), nil
}

// related are the answers of a family about what symbols have to do with each other, in their modules and in all others whose
// imports may lead to them. A digest is over what is spelled of each, the digest of none is not empty.
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

// referred spells what is referred to, without the place.
func referred(r source.Referred) string {
	return strings.Join([]string{r.Module, r.Name, string(r.Kind), strconv.FormatBool(r.Outside), strconv.FormatBool(r.Certain)}, "\x00")
}

func implementer(i source.Implementer) string {
	return strings.Join([]string{i.Module, i.Name, strconv.FormatBool(i.Certain)}, "\x00")
}
