package survey

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/source"
)

func (s *Survey) blobDigest(_ context.Context, f fact.Fact) (string, error) { return s.blobID(f.Name) }

// blobID returns git's blob id of a file. A file that is not a source requires listing all files.
func (s *Survey) blobID(name string) (string, error) {
	if !s.files().Has(name) {
		return "", nil
	}
	for _, list := range []map[string]string{s.paths.Manifests, s.paths.Readmes} {
		if id := list[name]; id != "" {
			return id, nil
		}
	}
	if s.modules[moduleOf(name)] != nil {
		if file, ok := s.record(moduleOf(name)).file(name); ok {
			return file.Hash, nil
		}
	}
	ids, err := s.ids()
	return ids[name], err
}

// Entries lists all files of the surveyed state, sorted by path. Call Observe first.
func (s *Survey) Entries(ctx context.Context) ([]Entry, error) { return s.Tree.Entries(ctx, s.state) }

func (s *Survey) blobs(ctx context.Context) (map[string]string, error) {
	entries, err := s.Tree.Entries(ctx, s.state)
	if err != nil {
		return nil, fmt.Errorf("list the repository: %w", err)
	}
	out := make(map[string]string, len(entries))
	for _, e := range entries {
		if e.Mode == Regular {
			out[e.Path] = e.ID
		}
	}
	return out, nil
}

func (s *Survey) blobValue(ctx context.Context, f fact.Fact) (any, error) {
	id, err := s.blobID(f.Name)
	if err != nil || id == "" {
		return []byte(nil), err
	}
	return s.content(ctx, f.Name, id)
}

func (s *Survey) content(ctx context.Context, name, id string) ([]byte, error) {
	var out []byte
	err := s.Tree.Read(ctx, []Entry{{Path: name, ID: id, Mode: Regular}}, s.MaxBytes, func(_ Entry, content []byte, err error) error {
		if err == nil {
			out = slices.Clone(content)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return out, nil
}

func (s *Survey) readmeDigest(_ context.Context, f fact.Fact) (string, error) {
	name := s.readme(f.Name)
	if name == "" {
		return "", nil
	}
	return path.Base(name) + " " + s.paths.Readmes[name], nil
}

func (s *Survey) readmeValue(ctx context.Context, f fact.Fact) (any, error) {
	name := s.readme(f.Name)
	if name == "" {
		return Readme{}, nil
	}
	content, err := s.content(ctx, name, s.paths.Readmes[name])
	return Readme{name, content}, err
}

// quoted caches its results because every page reads the names in the root's README.
func (s *Survey) quoted(ctx context.Context, dir string) ([]string, error) {
	name := s.readme(dir)
	if name == "" {
		return nil, nil
	}
	id := s.paths.Readmes[name]
	if names, read := s.quotes[id]; read {
		return names, nil
	}
	content, err := s.content(ctx, name, id)
	if err != nil {
		return nil, err
	}
	s.quotes[id] = append([]string{}, source.Quoted(content)...)
	return s.quotes[id], nil
}

func (s *Survey) readme(dir string) string {
	s.files() // updates the path lists
	best := ""
	for p := range s.paths.Readmes {
		if moduleOf(p) == dir && (best == "" || readmeRank(p) < readmeRank(best)) {
			best = p
		}
	}
	return best
}
