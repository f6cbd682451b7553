package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/costtest"
)

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		// want are the beginnings of the lines of the message.
		want []string
	}{
		"misspelt key":       {"version: 1\nexlude: []\n", []string{`c.yml:2: unknown key "exlude": did you mean "exclude"?`}},
		"misspelt inner key": {"docs:\n  front_mater: true\n", []string{`c.yml:2: unknown key "docs.front_mater": did you mean "front_matter"?`}},
		"server of a model": {"model:\n  use: [ask]\n  url: http://127.0.0.1:9/v1\n", []string{
			`c.yml:3: unknown key "model.url": a repository must not decide which model is asked and who gets the key; set CAUSAL_MODEL_URL in the environment instead`,
		}},
		"key of a model": {"model:\n  api_key: x\n", []string{
			`c.yml:2: unknown key "model.api_key": a repository must not decide which model is asked and who gets the key; set CAUSAL_MODEL_KEY in the environment instead`,
		}},
		"use of a model":       {"model:\n  use: [docs, poems]\n", []string{`c.yml:2: model.use "poems" must be docs, review, testgen, memory, ask or skills`}},
		"budget of a model":    {"model:\n  tokens_per_run: 0\n", []string{`c.yml:2: model.tokens_per_run 0 must be from 1000 to 1000000000`}},
		"files of a model":     {"model:\n  exclude: [\"a/[\"]\n", []string{`c.yml:2: model.exclude "a/[": `}},
		"key of another place": {"\ndir: x\n", []string{`c.yml:2: unknown key "dir": the keys here are bot, branch, docs, exclude, max_file_bytes, model, repository, review, version`}},
		"foreign key":          {"docs: {theme: dark}\n", []string{`c.yml:1: unknown key "docs.theme": the keys here are dir, front_matter`}},
		"two problems": {
			"max_file_bytes: lots\n\nexclude: x\n", []string{"c.yml:1: max_file_bytes must be an integer", "c.yml:3: exclude must be an array"},
		},
		"number for text":       {"branch: 1\n", []string{"c.yml:1: branch must be a string"}},
		"text for a flag":       {"docs:\n\n  front_matter: \"no\"\n", []string{"c.yml:3: docs.front_matter must be a boolean"}},
		"nothing for an list":   {"exclude:\n", []string{"c.yml:1: exclude must be an array"}},
		"number in a list":      {"exclude:\n  - a\n  - 1\n", []string{"c.yml:3: exclude must be a list of strings"}},
		"bad glob":              {"exclude:\n  - a/**\n  - \"[a\"\n", []string{`c.yml:3: exclude "[a": `}},
		"empty glob":            {"exclude: [\"\"]\n", []string{`c.yml:1: exclude "": `}},
		"other version":         {"version: 2\n", []string{"c.yml:1: version 2 must be 1"}},
		"too little":            {"max_file_bytes: 5\n", []string{"c.yml:1: max_file_bytes 5 must be from 1024 to 16777216"}},
		"too much":              {"max_file_bytes: 99999999999\n", []string{"c.yml:1: max_file_bytes 99999999999 must be"}},
		"far too much":          {"version: 1\nmax_file_bytes: 99999999999999999999\n", []string{"c.yml:2: "}},
		"no address":            {"repository: shop\n", []string{`c.yml:1: repository "shop" must be an address such as`}},
		"address of nothing":    {"repository: https://example.com/\n", []string{`c.yml:1: repository "https://example.com/" must be`}},
		"a password":            {"repository: https://octo:s3cret@example.com/shop\n", []string{"c.yml:1: repository must not contain a user name or a password"}},
		"a token of no form":    {"repository: octo:s3cret/x@example.com/shop\n", []string{"c.yml:1: repository must not contain a user name or a password"}},
		"a password as a port":  {"repository: https://octo:s3cret/x/shop\n", []string{"c.yml:1: repository"}},
		"a query":               {"repository: https://example.com/shop?token=x\n", []string{"c.yml:1: repository"}},
		"no branch":             {"branch: \"\"\n", []string{`c.yml:1: branch "" must be the short name of a branch`}},
		"a branch of two words": {"branch: a b\n", []string{`c.yml:1: branch "a b" must be`}},
		"an option":             {"branch: -x\n", []string{`c.yml:1: branch "-x" must be`}},
		"a reference":           {"branch: refs/heads/main\n", []string{`c.yml:1: branch "refs/heads/main" must be`}},
		"a locked branch":       {"branch: a/b.lock\n", []string{`c.yml:1: branch "a/b.lock" must be`}},
		"above the root":        {"docs:\n  dir: a/../../b\n", []string{`c.yml:2: docs.dir "a/../../b" must be a directory below the repository's root`}},
		"absolute":              {"docs: {dir: /srv/docs}\n", []string{`c.yml:1: docs.dir "/srv/docs" must be`}},
		"the root itself":       {"docs: {dir: .}\n", []string{`c.yml:1: docs.dir "." must be`}},
		"backslashes":           {"docs: {dir: 'docs\\causal'}\n", []string{`c.yml:1: docs.dir "docs\\causal" must be`}},
		"inside git":            {"docs: {dir: .git/x}\n", []string{"c.yml:1: docs.dir must not be inside .git"}},
		"inside the nodes":      {"docs: {dir: .causal/nodes}\n", []string{"c.yml:1: docs.dir must not be inside .causal"}},
		"a list":                {"- a\n", []string{"c.yml:1: a configuration is a list of keys with values"}},
		"open bracket":          {"version: 1\nexclude: [a\n", []string{"c.yml:3: did not find expected ',' or ']'"}},
		"tab":                   {"docs:\n\tdir: x\n", []string{"c.yml:2: "}},
		"key twice":             {"exclude: [a]\nbranch: x\nexclude: [b]\n", []string{"c.yml:3: "}},
		"a suffix of two lines": {"bot: {commit_suffix: \"a\\nb\"}\n", []string{`c.yml:1: bot.commit_suffix "a\nb" must be one line of at most 60 bytes`}},
		"no such mode":          {"bot: {mode: push}\n", []string{`c.yml:1: bot.mode "push" must be commit, pull_request or check`}},
		"bad ignored path":      {"bot:\n  ignore:\n    paths: [a, \"[a\"]\n", []string{`c.yml:3: bot.ignore.paths "[a": `}},
		"empty label":           {"bot:\n  ignore:\n    labels:\n      - a\n      - \" \"\n", []string{"c.yml:5: bot.ignore.labels has an empty name"}},
		"number for a label":    {"bot: {ignore: {labels: [1]}}\n", []string{"c.yml:1: bot.ignore.labels must be a list of strings"}},
		"foreign rule":          {"bot: {ignore: {title: x}}\n", []string{`c.yml:1: unknown key "bot.ignore.title": the keys here are authors, drafts, labels, paths`}},
		"two documents":         {"version: 1\n---\nbranch: x\n", []string{"c.yml:2: "}},
		"endless":               {"exclude: &a [*a]\n", []string{"c.yml:1: "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Parse("c.yml", []byte(c.text))
			var wrong *config.Error
			if !errors.As(err, &wrong) || got != nil {
				t.Fatalf("got %v, error %v", got, err)
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(c.want) {
				t.Fatalf("the message is\n%v\nwant\n%s", err, strings.Join(c.want, "\n"))
			}
			for i, want := range c.want {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("line %d of the message is\n%s\nwant\n%s", i+1, lines[i], want)
				}
			}
		})
	}
}

// TestDocsStayOutOfGit: not on disks that take other names for the same either.
func TestDocsStayOutOfGit(t *testing.T) {
	t.Parallel()
	for dir, taken := range map[string]string{
		".GIT/hooks": ".git", "docs/.Git": ".git", "git~1/hooks": ".git", "GIT~2": ".git", "gi7eba~1": ".git", ".git.": ".git", ".git /x": ".git", ".git . .": ".git",
		".git::$INDEX_ALLOCATION/x": ".git", ".g\u200cit/x": ".git", ".CAUSAL/nodes": ".causal", ".causal.": ".causal", "causal~1": ".causal",
		"docs/causal": "", ".github/docs": "", "docs/git": "", "docs/causal~": "", ".gitbook": "", "digit~1": "",
	} {
		_, err := config.Parse("c.yml", fmt.Appendf(nil, "docs: {dir: %q}\n", dir))
		if (err != nil) != (taken != "") || err != nil && !strings.Contains(err.Error(), "docs.dir must not be inside "+taken) {
			t.Errorf("%q: %v", dir, err)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want func(*config.Config)
	}{
		"nothing":           {"", func(*config.Config) {}},
		"only a comment":    {"# nothing\n", func(*config.Config) {}},
		"null":              {"null\n", func(*config.Config) {}},
		"a value":           {"branch: trunk\n", func(c *config.Config) { c.Branch = "trunk" }},
		"an inner value":    {"docs: {front_matter: false}\n", func(c *config.Config) { c.Docs.FrontMatter = false }},
		"a directory":       {"docs: {dir: ./a//b/}\n", func(c *config.Config) { c.Docs.Dir = "a/b" }},
		"an anchor":         {"branch: &b trunk\n", func(c *config.Config) { c.Branch = "trunk" }},
		"a long branch":     {"branch: release/v1.2-x_y\n", func(c *config.Config) { c.Branch = "release/v1.2-x_y" }},
		"ends of Windows":   {"branch: trunk\r\n", func(c *config.Config) { c.Branch = "trunk" }},
		"a byte order mark": {"\xef\xbb\xbfbranch: trunk\n", func(c *config.Config) { c.Branch = "trunk" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Parse("c.yml", []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			want := config.Default()
			c.want(want)
			if got.Key() != want.Key() {
				t.Errorf("got %s, want %s", got.Key(), want.Key())
			}
		})
	}
}

func TestExcluded(t *testing.T) {
	t.Parallel()
	c, err := config.Parse("c.yml", []byte("exclude: [\"gen/**\", \"**/*.pb.go\", old, docs/api/, \"src/*\"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"gen/a.go": true, "gen/b/c.go": true, "x/y.pb.go": true, "y.pb.go": true, "x/gen.go": false, "general/a.go": false,
		"old": true, "old/a/b.go": true, "older/a.go": false, "x/old/a.go": false, "docs/api/v1/a.go": true, "docs/apis.go": false, "src/a.go": true, "src/a/b.go": false} {
		if c.Excluded(name) != want {
			t.Errorf("Excluded(%q) is %v", name, !want)
		}
	}
}

// FuzzParse: whatever the file holds, there is a configuration that can be worked with, or an error with a line of
// the file for each problem.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "version: 1\n", "exclude: [a, \"b/**\"]\ndocs: {dir: x, front_matter: false}\n", "exlude: 1\n", "a: &a [*a]\n", "? [a]\n: b\n",
		"docs: &d {dir: x}\nexclude: *d\n", "<<: {version: 1}\n", "docs: {dir: ../..}\n", "- 1\n", "!!binary x: 1\n", "version: 1\n---\nversion: 1\n",
		"max_file_bytes: 0x400\n", "max_file_bytes: 1e6\n", "branch: |\n  x\n", "repository: https://a/b\n", "version: !!int \"1\"\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		costtest.Hold(t, data, func(data []byte) { _, _ = config.Parse("c.yml", data) })
		c, err := config.Parse("c.yml", data)
		if err != nil {
			var wrong *config.Error
			if !errors.As(err, &wrong) {
				t.Fatalf("not an error about the file: %v", err)
			}
			if len(wrong.Problems) == 0 {
				t.Fatal("an error without a problem")
			}
			for i, p := range wrong.Problems {
				if p.Line < 1 || p.Line > strings.Count(string(data), "\n")+strings.Count(string(data), "\r")+2 && len(data) > 0 || p.What == "" {
					t.Fatalf("problem %d: line %d, %q", i, p.Line, p.What)
				}
			}
			return
		}
		if strings.HasPrefix(c.Docs.Dir, "/") || strings.HasPrefix(c.Docs.Dir, "..") && (len(c.Docs.Dir) == 2 || c.Docs.Dir[2] == '/') || c.Docs.Dir == "." || c.Docs.Dir == "" {
			t.Fatalf("pages would go to %q", c.Docs.Dir)
		}
		if c.Version != 1 || c.MaxFileBytes < 1024 {
			t.Fatalf("accepted %+v", c)
		}
		c.Excluded("a/b.go")
		if again, err := config.Parse("c.yml", data); err != nil || again.Key() != c.Key() {
			t.Fatalf("a second look gives %v, %v", again, err)
		}
	})
}
