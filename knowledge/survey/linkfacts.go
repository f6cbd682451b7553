package survey

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

// LinksDigest returns the digest of import targets: uses in any order, and external imports.
func LinksDigest(uses []source.Use, external []string) string {
	parts := make([]string, 0, len(uses)+len(external)+1)
	for _, u := range uses {
		parts = append(parts, u.Module+"\x00"+u.Name)
	}
	slices.Sort(parts)
	return string(source.DigestOf(append(append(parts, ""), external...)...))
}

func (s *Survey) importersOf(_ context.Context, module string) (Importers, error) {
	i := s.importer()[module]
	return Importers{slices.Clone(i.Code), slices.Clone(i.Tests)}, nil
}

func (i Importers) digest() string {
	return string(source.DigestOf(slices.Concat(i.Code, []string{""}, i.Tests)...))
}

// flows returns the control flow of a module. The first call computes it for all modules that may have changed, in
// parallel, because callers ask for those too.
func (s *Survey) flows(ctx context.Context, module string) ([]source.Flow, error) {
	if found, known := recall[[]source.Flow](s, FlowsFact(module)); known || s.modules[module] == nil {
		return found, nil
	}
	wanted := []string{module}
	if !s.flowed {
		s.flowed = true
		for _, m := range slices.Sorted(maps.Keys(s.known)) {
			if m != module && s.modules[m] != nil && (s.full || s.changed[FlowsFact(m)]) {
				wanted = append(wanted, m)
			}
		}
	}
	if err := s.resolve(ctx, wanted); err != nil {
		return nil, err
	}
	for _, m := range wanted {
		for _, d := range s.modules[m].Deps {
			s.users(d)
		}
	}
	found := make([][]source.Flow, len(wanted))
	if err := inParallel(ctx, len(wanted), func(i int) {
		k := s.known[wanted[i]]
		found[i] = source.Flows(k.Module, k.Declared, s.resolvers, s.linker())
	}); err != nil {
		return nil, err
	}
	for i, m := range wanted {
		s.learn(FlowsFact(m), found[i])
	}
	return found[0], nil
}

func (s *Survey) flowsDigest(ctx context.Context, f fact.Fact) (string, error) {
	flows, err := s.flows(ctx, f.Name)
	parts := []string{f.Name}
	for _, f := range flows {
		parts = append(parts, "", f.Entry, strconv.FormatBool(f.Handler), strconv.Itoa(f.Effects), strconv.Itoa(f.More))
		for _, s := range f.Steps {
			parts = append(parts, s.From, s.Module, s.Name, strconv.Itoa(s.Within), string(s.When), strconv.Itoa(s.More))
		}
	}
	return digestOf(parts), err
}

// usage lists the names of a module that the code of others uses, most used first. Counts are excluded because they
// change more often than the order. A use of the whole module counts for no name.
func (s *Survey) usage(_ context.Context, module string) ([]string, error) {
	users := s.users(module)
	return slices.SortedFunc(maps.Keys(users), func(a, b string) int {
		return cmp.Or(users[b]-users[a], strings.Compare(a, b))
	}), nil
}

func (s *Survey) users(module string) map[string]int {
	if known, ok := s.used[module]; ok {
		return known
	}
	users := map[string]int{}
	for _, m := range s.importer()[module].Code {
		names, _ := s.usesOf(m, module)
		for _, name := range names {
			if name != "" && !strings.HasSuffix(name, anything) {
				users[name]++
			}
		}
	}
	s.used[module] = users
	return users
}

// mostUsers is the number of using modules up to which a name is not common.
const mostUsers = 8

// isCommon reports whether more than mostUsers modules use a name. The users of its module must be counted already.
func (s *Survey) isCommon(u source.Use) bool { return s.used[u.Module][u.Name] > mostUsers }

func (up *update) compareCommon() {
	more := map[source.Use]int{}
	for m, v := range up.visits {
		if v.was.record != nil {
			for _, u := range v.was.record.Uses {
				more[u]--
			}
		}
		if up.modules[m] != nil {
			for _, u := range up.record(m).Uses {
				more[u]++
			}
		}
	}
	for u, n := range more {
		if now := up.users(u.Module)[u.Name]; (now > mostUsers) != (now-n > mostUsers) {
			for _, m := range up.importer()[u.Module].Code {
				up.changed.add(FlowsFact(m))
			}
		}
	}
}

func (s *Survey) importersByModule() map[string]Importers {
	out := map[string]Importers{}
	for _, m := range slices.Sorted(maps.Keys(s.modules)) {
		for _, d := range s.modules[m].Deps {
			i := out[d]
			i.Code = append(i.Code, m)
			out[d] = i
		}
		for _, d := range s.modules[m].TestDeps {
			i := out[d]
			i.Tests = append(i.Tests, m)
			out[d] = i
		}
	}
	return out
}

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
	list, known := recall[[]source.Implementation](s, ImplementsFact(module))
	if known || s.modules[module] == nil {
		return list, nil
	}
	others := slices.DeleteFunc(slices.Clone(s.modules[module].Deps), func(d string) bool { return d == module || s.modules[d] == nil })
	kin, err := s.kinship(ctx, append([]string{module}, others...))
	if err != nil {
		return nil, err
	}
	list = kin.Implemented(module, others, func(of source.Use) bool {
		t, _ := s.table(of.Module)
		_, ok := t.Names[of.Name]
		return ok
	})
	s.learn(ImplementsFact(module), list)
	return list, nil
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
