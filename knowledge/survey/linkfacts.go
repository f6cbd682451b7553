package survey

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// LinksDigest is the digest of where imports lead: uses, whatever their order, and what lies outside of the repository.
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

// flows are how the code of a module goes on. Whoever asks about one module asks about all that may have changed: the first time theirs are
// found out as well, on all processors.
func (s *Survey) flows(ctx context.Context, module string) ([]source.Flow, error) {
	if found, known := s.flowing[module]; known || s.modules[module] == nil {
		return found, nil
	}
	wanted := []string{module}
	if s.flowing == nil {
		s.flowing = map[string][]source.Flow{}
		for _, m := range slices.Sorted(maps.Keys(s.known)) {
			if m != module && s.modules[m] != nil && (s.full || s.changed[FlowsFact(m)]) {
				wanted = append(wanted, m)
			}
		}
	}
	if err := s.resolve(ctx, wanted); err != nil {
		return nil, err
	}
	found := make([][]source.Flow, len(wanted))
	if err := inParallel(ctx, len(wanted), func(i int) { found[i] = s.references(s.known[wanted[i]]).Flows() }); err != nil {
		return nil, err
	}
	for i, m := range wanted {
		s.flowing[m] = found[i]
	}
	return s.flowing[module], nil
}

// FlowsDigest is the digest of how the code of a module goes on.
func FlowsDigest(module string, flows []source.Flow) string {
	parts := []string{module}
	for _, f := range flows {
		parts = append(parts, "", f.Entry)
		for _, s := range f.Steps {
			parts = append(parts, s.From, s.Module, s.Name)
		}
	}
	return string(source.DigestOf(parts...))
}

// usage lists the names of a module that the code of others uses, those that most modules use first. What is used as a whole names
// nothing. The numbers are no part of it: they change more often than the order.
func (s *Survey) usage(_ context.Context, module string) ([]string, error) {
	users := map[string]int{}
	for _, m := range s.importer()[module].Code {
		names, _ := s.usesOf(m, module)
		for _, name := range names {
			if name != "" && !strings.HasSuffix(name, anything) {
				users[name]++
			}
		}
	}
	return slices.SortedFunc(maps.Keys(users), func(a, b string) int {
		return cmp.Or(users[b]-users[a], strings.Compare(a, b))
	}), nil
}

// importersByModule turns the edges round.
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
