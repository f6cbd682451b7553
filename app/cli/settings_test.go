package cli_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/testmode"
)

// setting is how a key of the configuration is tried.
type setting struct {
	values  []string // the text after the key, in the order in which an update meets them
	matters bool     // whether stored files depend on the key
}

// settings has an entry for each key of the schema.
var settings = map[string]setting{
	"version":        {[]string{"1", "1"}, false},
	"repository":     {[]string{`""`, "https://example.com/acme/shop", "https://example.org/shop/shop"}, true},
	"branch":         {[]string{"main", "old", "absent"}, false}, // symbols that did not change keep their links
	"exclude":        {[]string{"[]", `["cart/**"]`, `["**/large.go", "**/money.go"]`}, true},
	"max_file_bytes": {[]string{"2097152", "1024", "4096"}, true},

	"docs.dir":          {[]string{"docs/causal", "pages", ".causal-docs"}, true},
	"docs.front_matter": {[]string{"true", "false"}, true},

	"review.off":             {[]string{"false", "true"}, false},
	"review.ignore":          {[]string{"[]", `["lint/**"]`}, false},
	"review.severity":        {[]string{"note", "error"}, false},
	"review.comments":        {[]string{"5", "0"}, false},
	"review.approval":        {[]string{"none", "pull_request"}, true},
	"review.promote.after":   {[]string{"3", "4", "2"}, true},
	"review.promote.authors": {[]string{"1", "3"}, true},
	"review.promote.fixes":   {[]string{"0", "2"}, true},
	"review.promote.monthly": {[]string{"5", "1"}, true},
	"model.use":              {[]string{"[docs, review, testgen, memory, ask, skills]", "[]"}, false},
	"model.exclude":          {[]string{"[]", `["cart/**"]`}, false},
	"model.tokens_per_run":   {[]string{"500000", "1000"}, false},
	"bot.mode":               {[]string{"commit", "check"}, false},
	"bot.commit_suffix":      {[]string{`""`, `"[skip ci]"`}, false},
	"bot.comments":           {[]string{"true", "false"}, false},
	"bot.dry_run":            {[]string{"false", "true"}, false},
	"bot.ignore.drafts":      {[]string{"false", "true"}, false},
	"bot.ignore.labels":      {[]string{"[]", `["skip"]`}, false},
	"bot.ignore.paths":       {[]string{"[]", `["money/**"]`}, false},
	"bot.ignore.authors":     {[]string{"[]", `["ada"]`}, false},
}

// TestEverySettingHasAnEntry compares the table with the schema.
func TestEverySettingHasAnEntry(t *testing.T) {
	t.Parallel()
	if got, want := slices.Sorted(maps.Keys(settings)), leaves(t, "", config.Schema); !slices.Equal(got, want) {
		t.Errorf("the table has %q, the schema %q", got, want)
	}
}

// leaves are the keys of a schema that have no keys below them, sorted.
func leaves(t *testing.T, prefix string, schema []byte) []string {
	var of struct{ Properties map[string]json.RawMessage }
	if err := json.Unmarshal(schema, &of); err != nil {
		t.Fatal(err)
	}
	var out []string
	for key, sub := range of.Properties {
		below := leaves(t, prefix+key+".", sub)
		if len(below) == 0 {
			below = []string{prefix + key}
		}
		out = append(out, below...)
	}
	return slices.Sorted(slices.Values(out))
}

// TestSettingsTakeEffect changes each setting in a repository with a warm cache. For the values after the first one, in
// full for each, the files equal those of a fresh clone without a cache, and for the first value again they are as before. By default
// the settings that stored files do not depend on are changed together.
func TestSettingsTakeEffect(t *testing.T) {
	t.Parallel()
	origin := newTuned(t)
	together := map[string]setting{}
	for key, s := range settings {
		if !s.matters && !testmode.Long() {
			together[key] = s
			continue
		}
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			takeEffect(t, origin, map[string]setting{key: s}, len(s.values), s.matters)
		})
	}
	if len(together) > 0 {
		t.Run("others", func(t *testing.T) {
			t.Parallel()
			takeEffect(t, origin, together, 2, false)
		})
	}
}

// takeEffect changes settings together, to each of their values in turn.
func takeEffect(t *testing.T, origin *repo, of map[string]setting, values int, matters bool) {
	r := copyOf(t, origin.dir, filepath.Join(t.TempDir(), "repo"))
	r.commits = origin.commits
	var seen []map[string]string
	for i := range values + 1 {
		r.set(of, i%values)
		before, checked := r.stored(), r.run("check").code
		r.update()
		if stale := difference(before, r.stored()) != ""; stale != (checked == cli.ExitFindings) {
			t.Errorf("value %d: a check exits with %d, and the update changes stored files: %t", i, checked, stale)
		}
		r.commit("Change a setting")
		got := r.stored()
		seen = append(seen, got)
		if i == 0 && !testmode.Long() || i == values {
			continue // the first value comes twice
		}
		if diff := difference(r.cloned(t), got); diff != "" {
			t.Fatalf("value %d: not what a fresh clone makes (-clone +here):\n%s", i, diff)
		}
	}
	if diff := difference(seen[0], seen[values]); diff != "" {
		t.Errorf("the first value made something else the second time (-first +second):\n%s", diff)
	}
	for i := 1; i < values; i++ {
		if differs := difference(seen[0], seen[i]) != ""; differs != matters {
			t.Errorf("stored files differ between the first value and value %d: %t, want %t", i, differs, matters)
		}
	}
}

// newTuned makes a repository in which every setting has an effect: it has a large file, a remote with two branches, and records of merged
// changes. It is a clone of the remote, so each copy has the same remote.
func newTuned(t *testing.T) *repo {
	r := newShop(t)
	r.write("money/large.go", "package money\n\n"+strings.Repeat("// Many lines.\n", 100)+"\n// Large is in a large file.\nfunc Large() {}\n")
	r.write("money/larger.go", "package money\n\n"+strings.Repeat("// Many lines.\n", 400)+"\n// Larger is in a larger file.\nfunc Larger() {}\n")
	for i, author := range []string{"Ada", "Grace", "Ada"} {
		outcome := map[bool]string{true: "fixed", false: "open"}[i == 2]
		n := string(rune('1' + i))
		r.write(".causal/reviews/pr-"+n+".jsonl", `{"key":"pr-`+n+`","base":"b","head":"`+strings.Repeat("0", 39)+n+`","outcome":"merged","at":"2026-01-0`+n+`T10:00:00Z","author":"`+author+"\"}\n"+
			finding("f-"+n, "lint/no-float", "p-1", outcome)+finding("g-"+n, "lint/no-int", "p-2", outcome))
	}
	r.commit("Grow")
	r.git("branch", "old", "HEAD~1")
	bare := filepath.Join(t.TempDir(), "remote")
	r.git("clone", "--quiet", "--bare", ".", bare)
	r.git("remote", "add", "origin", bare)
	r.git("fetch", "--quiet", "origin")
	r.update()
	return r
}

func finding(id, rule, pattern, status string) string {
	return `{"id":"` + id + `","rule":"` + rule + `","severity":"warning","path":"money/money.go","line":2,"message":"Wrong.","pattern":"` + pattern +
		`","status":"` + status + "\",\"history\":null}\n"
}

// set writes a configuration with a value of each setting. The repository has an address unless that is set. It removes what a
// changed setting leaves as it is: principles that are in force, and pages in another directory.
func (r *repo) set(of map[string]setting, value int) {
	r.t.Helper()
	config := map[string]any{"repository": "https://example.com/acme/shop"}
	for key, s := range of {
		at, name := config, key
		for outer, rest, ok := strings.Cut(name, "."); ok; outer, rest, ok = strings.Cut(name, ".") {
			if at[outer] == nil {
				at[outer] = map[string]any{}
			}
			at, name = at[outer].(map[string]any), rest
		}
		var v any
		must(r, yaml.Unmarshal([]byte(s.values[min(value, len(s.values)-1)]), &v))
		at[name] = v
	}
	text, err := yaml.Marshal(config)
	must(r, err)
	r.write(".causal/config.yml", string(text))
	r.remove(".causal/principles")
	if _, moves := of["docs.dir"]; moves {
		for _, dir := range pagesOf {
			r.remove(dir)
		}
	}
}

// pagesOf are the directories that hold pages under any setting.
var pagesOf = settings["docs.dir"].values

// stored are the files that causal stores, without frames.
func (r *repo) stored() map[string]string {
	r.t.Helper()
	out := map[string]string{}
	for _, dir := range append([]string{".causal"}, pagesOf...) {
		if r.has(dir) {
			maps.Copy(out, r.files(dir))
		}
	}
	maps.DeleteFunc(out, func(name, _ string) bool {
		return strings.HasPrefix(name, ".causal/frames/") || name == ".causal/config.yml"
	})
	return out
}

// cloned is what a fresh clone of the last commit stores. What came with it is checked first, then made again.
func (r *repo) cloned(t *testing.T) map[string]string {
	t.Helper()
	parent := t.TempDir()
	c := &repo{t: t, dir: filepath.Join(parent, "clone"), now: r.now, commits: r.commits}
	r.git("clone", "--quiet", "--no-local", ".", c.dir)
	c.git("remote", "set-url", "origin", r.git("remote", "get-url", "origin"))
	c.git("fetch", "--quiet", "--prune", "origin")
	c.causal(cli.ExitClean, "check")
	for _, dir := range append([]string{".causal/nodes", ".causal/principles", ".git/causal"}, pagesOf...) {
		if err := os.RemoveAll(c.path(dir)); err != nil {
			t.Fatal(err)
		}
	}
	c.update()
	c.causal(cli.ExitClean, "check")
	return c.stored()
}
