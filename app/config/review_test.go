package config_test

import (
	"testing"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/principle"
)

func TestReview(t *testing.T) {
	t.Parallel()
	parse := func(text string) config.Review {
		t.Helper()
		c, err := config.Parse("c.yml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c.Review
	}
	if got, want := parse("").Policy(), (principle.Policy{Changes: 3, Authors: 1, Monthly: 5}); got != want {
		t.Errorf("by default %+v, want %+v", got, want)
	}
	asked := parse("review: {approval: pull_request, promote: {after: 4, authors: 2, fixes: 1, monthly: 0}}").Policy()
	if want := (principle.Policy{Changes: 4, Authors: 2, Fixed: 1, Approval: true}); asked != want {
		t.Errorf("asked for %+v, want %+v", asked, want)
	}
	for text, rules := range map[string]map[string]bool{
		"":                                   {"api-break": false},
		"review: {off: true}":                {"api-break": true, "eslint/x": true},
		`review: {ignore: ["eslint/*"]}`:     {"eslint/x": true, "eslint/@a/b": false, "eslint": false, "api-break": false},
		`review: {ignore: ["eslint/**"]}`:    {"eslint/x": true, "eslint/@a/b": true, "tslint/x": false},
		`review: {ignore: ["stale-*", "a"]}`: {"stale-name": true, "a": true, "go-vet/stale-name": false},
	} {
		for rule, want := range rules {
			if got := parse(text).Ignores(rule); got != want {
				t.Errorf("%s: %s is ignored: %v", text, rule, got)
			}
		}
	}
	r := parse("review: {severity: warning}")
	if r.Tells(finding.Note) || !r.Tells(finding.Warning) || !r.Tells(finding.Error) || !parse("").Tells(finding.Note) {
		t.Error("the least severity does not count")
	}
	const text = "review: {comments: 1, severity: error, ignore: [a]}"
	c, err := config.Parse("c.yml", []byte(text))
	if err != nil || c.Key() != config.Default().Key() {
		t.Errorf("what is told has a part in what is known: %v", err)
	}
	if c, err = config.Parse("c.yml", []byte("review: {promote: {after: 4}}")); err != nil || c.Key() == config.Default().Key() {
		t.Errorf("what is promoted has none: %v", err)
	}
}
