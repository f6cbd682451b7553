package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/minutes"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/store"
)

func (p *place) readMinutes(file string, r *reasoning.Recorder) ([]reasoning.Imported, error) {
	rel, err := filepath.Rel(p.Root(), workspace.Seen(p.world.path(file)))
	if err != nil || !filepath.IsLocal(rel) {
		return nil, usage(fmt.Errorf("record: %s is not in the repository", file))
	}
	name := filepath.ToSlash(rel)
	text, err := p.Files.Read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrOccupied):
		return nil, usage(fmt.Errorf("record: %s is not a file", file))
	case err != nil:
		return nil, fmt.Errorf("record: %w", err)
	case len(text) > minutes.Largest:
		return nil, usage(fmt.Errorf("record: %s has %d bytes; the limit for a document is %d", file, len(text), minutes.Largest))
	}
	d := minutes.Read(name, string(text))
	if d.Statements() == 0 {
		return nil, usage(fmt.Errorf("record: no line in %s begins with a keyword such as %q; see `causal record --help`", file, "Proposal:"))
	}
	if d.More() {
		_, _ = plain.Fprintf(p.world.Err, "only the first %s of %s are read\n", summary.Count(d.Statements(), "statement"), name)
	}
	return d.Drafts(name, r.Events(), r.Find), nil
}
