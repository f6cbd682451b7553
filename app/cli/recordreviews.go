package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/recall"
	"github.com/causaldocs/causal/review/record"
)

func (p *place) readReviews(r *reasoning.Recorder) ([]reasoning.Imported, error) {
	records, err := record.All(p.Files)
	if err != nil {
		return nil, fmt.Errorf("record: read the reviews of closed changes: %w", err)
	}
	files, err := principle.All(p.Files)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	principles, unread := recall.Principles(records, files, p.Config.Review.Policy(), r)
	if len(unread) > 0 {
		_, _ = plain.Fprintf(p.world.Err, "passed over %s: %s\n", summary.Count(len(unread), "file"), strings.Join(unread[:min(len(unread), mostChoices)], ", "))
	}
	return slices.Concat(recall.Dismissals(records), principles), nil
}
