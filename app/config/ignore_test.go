package config_test

import (
	"testing"

	"github.com/causaldocs/causal/app/config"
)

func TestIgnore(t *testing.T) {
	t.Parallel()
	all, err := config.Parse("c.yml", []byte(`bot:
  ignore: {drafts: true, labels: [No-Docs], paths: ["**/*.md", "ci/**"], authors: ["*[bot]", "a*b*c", ann]}
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		traits config.Traits
		files  []string
		rule   config.Rule
		what   string
	}{
		"nothing of it":       {config.Traits{Author: "octo", Labels: []string{"bug"}}, []string{"a.go"}, "", ""},
		"a draft":             {config.Traits{Draft: true}, nil, config.ByDraft, ""},
		"a label":             {config.Traits{Labels: []string{"bug", "no-docs"}}, nil, config.ByLabel, "no-docs"},
		"part of a label":     {config.Traits{Labels: []string{"no-docs-yet"}}, nil, "", ""},
		"an App":              {config.Traits{Author: "renovate[bot]"}, nil, config.ByAuthor, "renovate[bot]"},
		"a letter of [bot]":   {config.Traits{Author: "renovateb"}, nil, "", ""},
		"a person":            {config.Traits{Author: "Ann"}, nil, config.ByAuthor, "Ann"},
		"a longer name":       {config.Traits{Author: "anna"}, nil, "", ""},
		"stars":               {config.Traits{Author: "axxbyyc"}, nil, config.ByAuthor, "axxbyyc"},
		"stars for nothing":   {config.Traits{Author: "abc"}, nil, config.ByAuthor, "abc"},
		"stars out of order":  {config.Traits{Author: "acb"}, nil, "", ""},
		"all paths":           {config.Traits{}, []string{"README.md", "docs/a.md", "ci/x.go"}, config.ByPath, ""},
		"all paths but one":   {config.Traits{}, []string{"README.md", "a.go"}, "", ""},
		"no path":             {config.Traits{}, nil, "", ""},
		"nobody knows by who": {config.Traits{Author: ""}, nil, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ignore := all.Bot.Ignore
			if rule, what := ignore.Applies(c.traits, ignore.Covers(c.files)); rule != c.rule || what != c.what {
				t.Errorf("got %q for %q, want %q for %q", rule, what, c.rule, c.what)
			}
			if rule, _ := (config.Ignore{}).Applies(c.traits, config.Ignore{}.Covers(c.files)); rule != "" {
				t.Errorf("ignored by %q without rules", rule)
			}
		})
	}
}
