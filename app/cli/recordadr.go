package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/adr"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/store"
)

func (p *place) readADRs(dir string, r *reasoning.Recorder) ([]reasoning.Imported, error) {
	records, passed, err := p.documents(dir)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, usage(fmt.Errorf("record: no decision record in %s: name them with a number, such as 0001-use-sqlite.md", dir))
	}
	if len(passed) > 0 {
		_, _ = plain.Fprintf(p.world.Err, "passed over %s: %s\n", summary.Count(len(passed), "file"), strings.Join(passed[:min(len(passed), mostChoices)], ", "))
	}
	return adr.Drafts(records, r.Former), nil
}

// documents returns the decision records below a directory, and the files with such a name that are none.
func (p *place) documents(dir string) (records []adr.Record, passed []string, err error) {
	rel, err := filepath.Rel(p.Root(), workspace.Seen(p.world.path(dir)))
	if err != nil || !filepath.IsLocal(rel) {
		return nil, nil, usage(fmt.Errorf("record: %s is not in the repository", dir))
	}
	if _, single := adr.Named(filepath.Base(rel)); single {
		return nil, nil, usage(fmt.Errorf("record: %s is one record; name its directory, because records refer to each other: --adr %s", dir, filepath.Dir(dir)))
	}
	names, err := p.Files.Below(filepath.ToSlash(rel))
	if err != nil {
		return nil, nil, usage(fmt.Errorf("record: read decision records: %w", err))
	}
	for _, name := range names {
		if _, ok := adr.Named(name); !ok {
			continue
		}
		text, err := p.Files.Read(name)
		if err != nil && !errors.Is(err, store.ErrOccupied) {
			return nil, nil, fmt.Errorf("record: read decision records: %w", err)
		}
		if r, ok := adr.Read(name, string(text)); ok && len(text) <= adr.Largest {
			records = append(records, r)
		} else {
			passed = append(passed, name)
		}
	}
	return records, passed, nil
}
