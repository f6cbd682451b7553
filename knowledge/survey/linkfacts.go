package survey

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

func (s *Survey) linksDigest(_ context.Context, f fact.Fact) (string, error) {
	if s.modules[f.Name] == nil {
		return "", nil
	}
	r := s.record(f.Name)
	return LinksDigest(r.Uses, r.External), nil
}

// LinksDigest is the digest of where imports lead: uses, whatever their order, and what lies outside of the repository.
func LinksDigest(uses []source.Use, external []string) string {
	parts := make([]string, 0, len(uses)+len(external)+1)
	for _, u := range uses {
		parts = append(parts, u.Module+"\x00"+u.Name)
	}
	slices.Sort(parts)
	return string(source.DigestOf(append(append(parts, ""), external...)...))
}

func (s *Survey) importersDigest(_ context.Context, f fact.Fact) (string, error) {
	i := s.importer()[f.Name]
	if s.modules[f.Name] == nil {
		return "", nil
	}
	return string(source.DigestOf(append(append(slices.Clone(i.Code), ""), i.Tests...)...)), nil
}

func (s *Survey) importersValue(_ context.Context, f fact.Fact) (any, error) {
	i := s.importer()[f.Name]
	return Importers{slices.Clone(i.Code), slices.Clone(i.Tests)}, nil
}

func (s *Survey) flowsDigest(ctx context.Context, f fact.Fact) (string, error) {
	if s.modules[f.Name] == nil {
		return "", nil
	}
	flows, err := s.flows(ctx, f.Name)
	return FlowsDigest(f.Name, flows), err
}

func (s *Survey) flowsValue(ctx context.Context, f fact.Fact) (any, error) {
	flows, err := s.flows(ctx, f.Name)
	return slices.Clone(flows), err
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

func (s *Survey) usageDigest(_ context.Context, f fact.Fact) (string, error) {
	if s.modules[f.Name] == nil {
		return "", nil
	}
	return string(source.DigestOf(s.usage(f.Name)...)), nil
}

func (s *Survey) usageValue(_ context.Context, f fact.Fact) (any, error) {
	return slices.Clone(s.usage(f.Name)), nil
}

// usage lists the names of a module that the code of others uses, those that most modules use first. What is used as a whole names
// nothing. The numbers are no part of it: they change more often than the order.
func (s *Survey) usage(module string) []string {
	names, _ := s.used.of(module, func() ([]string, error) { return s.usedNames(module), nil })
	return names
}

func (s *Survey) usedNames(module string) []string {
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
	})
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
