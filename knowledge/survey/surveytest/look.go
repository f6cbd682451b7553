package surveytest

import (
	"context"
	"errors"

	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Look has a survey look at files, with an index of its own in a directory. done is called when nobody reads facts any more.
func Look(ctx context.Context, dir string, files Files, languages []source.Language) (s *survey.Survey, done func() error, err error) {
	x, err := index.Open(dir, "key")
	if err != nil {
		return nil, nil, err
	}
	none := func(string) bool { return false }
	s = survey.New(survey.Config{
		Tree: Tree{files}, Index: x, Batch: x.NewBatch(), Languages: languages, MaxBytes: 2 << 20, Owned: none, Excluded: none,
	})
	if err := s.Observe(ctx); err != nil {
		return nil, nil, errors.Join(err, x.Close())
	}
	return s, x.Close, nil
}
