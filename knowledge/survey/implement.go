package survey

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// kinship relates the types of the given modules. Other modules are left out even if they are loaded: an answer must
// depend only on its subject.
func (s *Survey) kinship(ctx context.Context, modules []string) (source.Kinship, error) {
	shapes := map[string]source.Shapes{}
	var missing []string
	for _, m := range modules {
		if known, ok := recall[source.Shapes](s, BasesFact(m)); ok {
			shapes[m] = known
		} else {
			missing = append(missing, m)
		}
	}
	err := find(ctx, s, missing, shapes, func(k *Module) source.Shapes {
		return source.NewShapes(k.Module, k.Declared, s.resolvers, source.Linker{Table: s.table})
	})
	if err != nil {
		return source.Kinship{}, err
	}
	for _, m := range missing {
		s.learn(BasesFact(m), shapes[m])
	}
	return source.Kinship{Shapes: func(m string) (source.Shapes, bool) { found, ok := shapes[m]; return found, ok }}, nil
}

func (s *Survey) implements(ctx context.Context, module string) ([]source.Implementation, error) {
	if list, known := recall[[]source.Implementation](s, ImplementsFact(module)); known {
		return list, nil
	}
	list, err := s.findImplemented(ctx, module)
	if err == nil {
		s.learn(ImplementsFact(module), list)
	}
	return list, err
}

func (s *Survey) bases(ctx context.Context, module string) ([]source.Base, error) {
	if s.modules[module] == nil {
		return nil, nil
	}
	kin, err := s.kinship(ctx, []string{module})
	if err != nil {
		return nil, err
	}
	shapes, _ := kin.Shapes(module)
	return shapes.Bases(), nil
}

func (s *Survey) findImplemented(ctx context.Context, module string) ([]source.Implementation, error) {
	sum := s.modules[module]
	if sum == nil {
		return nil, nil
	}
	others := slices.DeleteFunc(slices.Clone(sum.Deps), func(d string) bool { return d == module || s.modules[d] == nil })
	kin, err := s.kinship(ctx, append([]string{module}, others...))
	if err != nil {
		return nil, err
	}
	return kin.Implemented(module, others, func(of source.Use) bool {
		t, _ := s.table(of.Module)
		_, ok := t.Names[of.Name]
		return ok
	}), nil
}

func (s *Survey) typesMention(module string, names map[string]bool) bool {
	k := s.known[module]
	if k == nil || len(names) == 0 {
		return false
	}
	for i := range k.Module.Units {
		for name := range names {
			if k.Module.Units[i].File.TypesMention(name) {
				return true
			}
		}
	}
	return false
}
