package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/causaldocs/causal/knowledge/reasoning"
)

// imports are the flags for importing reasoning from a repository.
type imports struct {
	adr     string
	reverts bool
	since   string
	reviews bool
	minutes string
}

func (i *imports) add(f *pflag.FlagSet) {
	f.StringVar(&i.adr, "adr", "", "record the architecture decision records of a directory")
	f.BoolVar(&i.reverts, "reverts", false, "record the reverts in the git history")
	f.BoolVar(&i.reviews, "reviews", false, "record the decisions of reviews: principles, and findings dismissed with a reason")
	f.StringVar(&i.minutes, "document", "", "record the statements of a Markdown document, such as meeting minutes")
	f.StringVar(&i.since, "since", "", "with --reverts: skip reverts in this revision")
}

// importer creates drafts from a repository, without those already recorded.
type importer func(ctx context.Context, p *place, r *reasoning.Recorder) ([]reasoning.Imported, error)

// chosen returns the requested importer, or nil. others reports whether events are also given directly.
func (i *imports) chosen(others bool) (from importer, err error) {
	flag := ""
	for _, c := range []struct {
		flag  string
		asked bool
		from  importer
	}{
		{"--adr", i.adr != "", func(_ context.Context, p *place, r *reasoning.Recorder) ([]reasoning.Imported, error) {
			return p.readADRs(i.adr, r)
		}},
		{"--reverts", i.reverts, func(ctx context.Context, p *place, _ *reasoning.Recorder) ([]reasoning.Imported, error) {
			return p.readReverts(ctx, i.since)
		}},
		{"--reviews", i.reviews, func(_ context.Context, p *place, r *reasoning.Recorder) ([]reasoning.Imported, error) {
			return p.readReviews(r)
		}},
		{"--document", i.minutes != "", func(_ context.Context, p *place, r *reasoning.Recorder) ([]reasoning.Imported, error) {
			return p.readMinutes(i.minutes, r)
		}},
	} {
		if !c.asked {
			continue
		}
		if from != nil || others {
			return nil, fmt.Errorf("record: %s cannot be combined with a type, a text or other flags", c.flag)
		}
		flag, from = c.flag, c.from
	}
	if i.since != "" && flag != "--reverts" {
		return nil, errors.New("record: --since needs --reverts")
	}
	return from, nil
}
