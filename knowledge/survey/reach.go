package survey

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Reach is what the code says of one symbol besides its declaration: what it names, what names it, and what implements it.
type Reach struct {
	Uses   []source.Referred
	UsedBy []source.Referred // Module and Name are those of what names it; the name is empty outside of declarations
	// Implementers are the types of the repository that implement or extend it.
	Implementers []source.Implementer
	// Body is the digest of the symbol's content and of everything in its module that it reaches.
	Body source.Digest
}

// mostFollowed is how many of the modules that rest on a symbol are looked into for what names it.
const mostFollowed = 200

// Reach follows the references of a symbol and those to it: in its own module, and in those whose imports lead to it. False
// when the module has no such symbol.
func (s *Survey) Reach(ctx context.Context, module, symbol string) (Reach, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.modules[module] == nil {
		return Reach{}, false, nil
	}
	around := s.restingOn(module, func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return mayMean(name, symbol) })
	})
	around = append([]string{module}, around[:min(len(around), mostFollowed)]...)
	if err := s.resolve(ctx, around); err != nil {
		return Reach{}, false, err
	}
	linker := source.Linker{Table: s.table}
	shapes := map[string]source.Shapes{}
	var out Reach
	for _, m := range around {
		k := s.known[m]
		refs := source.NewReferences(k.Module, k.Declared, s.resolvers, linker)
		shapes[m] = source.NewShapes(k.Module, k.Declared, s.resolvers, linker)
		if m != module {
			out.UsedBy = append(out.UsedBy, crossing(k, refs, module, symbol)...)
			continue
		}
		var ok bool
		if out.Body, ok = refs.Body(symbol); !ok {
			return Reach{}, false, nil
		}
		out.Uses, out.UsedBy = refs.Of(symbol), refs.Callers(symbol)
	}
	kin := source.Kinship{Shapes: func(m string) (source.Shapes, bool) { found, ok := shapes[m]; return found, ok }}
	out.Implementers = kin.Implementers(source.Use{Module: module, Name: symbol}, around)
	return out, true, nil
}

// references are those of one module. The last are kept: whoever asks for one body of a module asks for others.
func (s *Survey) references(ctx context.Context, module string) (*source.References, error) {
	if s.last.references != nil && s.last.module == module {
		return s.last.references, nil
	}
	if err := s.resolve(ctx, []string{module}); err != nil {
		return nil, err
	}
	k := s.known[module]
	s.last.module = module
	s.last.references = source.NewReferences(k.Module, k.Declared, s.resolvers, source.Linker{Table: s.table})
	return s.last.references, nil
}

// mayMean reports whether a name that a module rests on may mean a symbol: it is that name, a wildcard, or a type that the
// symbol is a member of.
func mayMean(name, symbol string) bool {
	prefix, wildcard := strings.CutSuffix(name, "*")
	return name == symbol || wildcard && strings.HasPrefix(symbol, prefix) || strings.HasPrefix(symbol, name+".")
}

// crossing lists what of a module names a symbol of another one.
func crossing(k *Module, refs *source.References, module, symbol string) []source.Referred {
	paths := make(map[string]string, len(k.Declared))
	for i := range k.Declared {
		paths[k.Declared[i].Name] = k.Declared[i].Path
	}
	var out []source.Referred
	for _, c := range refs.Crossings() {
		// the selection from a value of unknown type may be any member of that name
		if c.Module == module && c.Name == symbol || c.Module == "" && strings.HasSuffix(symbol, "."+c.Name) {
			out = append(out, source.Referred{Module: k.Module.Path, Name: c.From, Kind: c.Kind, Certain: c.Certain, Path: paths[c.From], Line: c.Line})
		}
	}
	slices.SortFunc(out, func(a, b source.Referred) int {
		return cmp.Or(strings.Compare(a.Module, b.Module), strings.Compare(a.Name, b.Name), cmp.Compare(a.Line, b.Line))
	})
	return out
}
