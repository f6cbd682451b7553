package survey

import (
	"context"
	"errors"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// kinship relates the types of the given modules. Other modules are left out even if they are loaded: an answer must
// depend only on its subject.
func (s *Survey) kinship(ctx context.Context, modules []string) (source.Kinship, error) {
	err := find(ctx, s, modules, s.shapes, func(k *Module) source.Shapes {
		return source.NewShapes(k.Module, k.Declared, s.resolvers, source.Linker{Table: s.table})
	})
	if err != nil {
		return source.Kinship{}, err
	}
	shapes := make(map[string]source.Shapes, len(modules))
	for _, m := range modules {
		shapes[m] = s.shapes[m]
	}
	return source.Kinship{Shapes: func(m string) (source.Shapes, bool) { found, ok := shapes[m]; return found, ok }}, nil
}

// ImplementsDigest returns the digest of the interfaces that a module's types implement.
func ImplementsDigest(list []source.Implementation) string {
	parts := make([]string, 0, 3*len(list))
	for _, i := range list {
		parts = append(parts, i.Type, i.Of.Module, i.Of.Name)
	}
	return string(source.DigestOf(parts...))
}

func (s *Survey) implements(ctx context.Context, module string) (list []source.Implementation, err error) {
	if !s.full && !s.changed[ImplementsFact(module)] && s.Index.Get(implemented, module, &list) {
		return list, nil
	}
	if list, err = s.findImplemented(ctx, module); err == nil {
		s.implemented[module] = list
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

func basesDigest(list []source.Base) string {
	parts := make([]string, 0, 3*len(list))
	for _, b := range list {
		parts = append(parts, b.Type, b.Of.Module, b.Of.Name)
	}
	return string(source.DigestOf(parts...))
}

// saveImplemented saves the results of this run and drops those that may be out of date.
func (s *Survey) saveImplemented() (err error) {
	if s.full {
		for _, m := range s.Index.Keys(implemented, "") {
			err = errors.Join(err, s.Batch.Put(implemented, m, nil))
		}
	}
	for f := range s.changed {
		if _, found := s.implemented[f.Name]; f == ImplementsFact(f.Name) && !found {
			err = errors.Join(err, s.Batch.Put(implemented, f.Name, nil))
		}
	}
	for m, list := range s.implemented {
		err = errors.Join(err, s.Batch.Put(implemented, m, list))
	}
	return err
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
