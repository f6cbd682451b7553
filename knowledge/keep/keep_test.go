package keep_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/keep"
)

const note = "<!-- causal:keep note -->\nAsk finance.\n<!-- /causal:keep -->"

func TestKeepBlocksStayWithTheirSection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ page, generated, want string }{
		"at the end of its section": {
			"# A\n\n## B\n\nb\n\n" + note + "\n\n## C\n\nc\n", "# A\n\n## B\n\nnew\n\n## C\n\nc\n", "# A\n\n## B\n\nnew\n\n" + note + "\n\n## C\n\nc\n"},
		"put at the beginning of a section": {
			"# A\n\n## B\n\n" + note + "\n\nb\n", "# A\n\n## B\n\nb\n", "# A\n\n## B\n\nb\n\n" + note + "\n"},
		"before the first section": {
			note + "\n# A\n\n## B\n\nb\n", "# A\n\n## B\n\nb\n", "# A\n\n" + note + "\n\n## B\n\nb\n"},
		"the section is gone": {
			"# A\n\n## B\n\nb\n\n" + note + "\n\n" + keep.Footer + "\n\n</details>\n", "# A\n\n## D\n\nd\n\n" + keep.Footer + "\n\n</details>\n",
			"# A\n\n## D\n\nd\n\n" + note + "\n\n" + keep.Footer + "\n\n</details>\n"},
		"the section and the footer are gone": {"# A\n\n## B\n\n" + note + "\n", "# A\n", "# A\n\n" + note + "\n"},
		"after the footer": {
			"# A\n\n" + keep.Footer + "\n\n</details>\n\n" + note + "\n", "# A2\n\n" + keep.Footer + "\n\n</details>\n",
			"# A2\n\n" + keep.Footer + "\n\n</details>\n\n" + note + "\n"},
		"a heading in a fence is none": {
			"# A\n\n## B\n\n```\n## C\n```\n\n" + note + "\n\n## D\n", "# A\n\n## B\n\n```\n## C\n```\n\n## D\n", "# A\n\n## B\n\n```\n## C\n```\n\n" + note + "\n\n## D\n"},
		"a marker in a fence is none":  {"# A\n\n```\n" + note + "\n```\n", "# A\n", "# A\n"},
		"the same block twice is one":  {"# A\n\n" + note + "\n\n" + note + "\n", "# A\n", "# A\n\n" + note + "\n"},
		"without an end of line":       {"# A\n\n" + note, "# A\n", "# A\n\n" + note + "\n"},
		"with carriage returns inside": {"# A\n\n" + strings.ReplaceAll(note, "\n", "\r\n") + "\n", "# A\n", "# A\n\n" + strings.ReplaceAll(note, "\n", "\r\n") + "\n"},
		"two, in order": {
			"# A\n\n" + note + "\n\n" + strings.Replace(note, "note", "a", 1) + "\n", "# A\n", "# A\n\n" + note + "\n\n" + strings.Replace(note, "note", "a", 1) + "\n"},
		"with fences and headings of its own": {
			"# A\n\n<!-- causal:keep x -->\n## Mine\n```\ncode\n<!-- /causal:keep -->\n\n## B\n", "# A\n\n## B\n",
			"# A\n\n<!-- causal:keep x -->\n## Mine\n```\ncode\n<!-- /causal:keep -->\n\n## B\n"},
	} {
		_, keeps, err := keep.Split([]byte(c.page))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := keep.Join(c.generated, keeps); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestKeepBlocksThatCannotBeKept(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"# A\n<!-- causal:keep a -->\n":                                    `keep block "a" does not end`,
		"<!-- causal:keep a -->\n<!-- causal:keep b -->\n":                 `line 2: keep block "b" begins inside "a"`,
		note + "\n" + strings.Replace(note, "finance", "sales", 1) + "\n":  `line 6: two different keep blocks are called "note"`,
		"# A\n\n<!-- causal:keep -->\nMine.\n<!-- /causal:keep -->\n":      `line 3: <!-- causal:keep --> is no marker of a keep block`,
		"# A\n\n  <!--causal:keep a-->\nMine.\n":                           `line 3: <!--causal:keep a--> is no marker of a keep block`,
		"# A\n\nMine.\n<!-- /causal:keep -->\n":                            `line 4: <!-- /causal:keep --> is no marker of a keep block`,
		"<!-- causal:keep a -->\n<<<<<<< HEAD\n<!-- /causal:keep -->\n":    `line 3: keep block "a" holds conflict markers`,
		"<!-- causal:keep a -->\n>>>>>>> other\n<!-- /causal:keep -->\n\n": `line 3: keep block "a" holds conflict markers`,
	} {
		if _, _, err := keep.Split([]byte(page)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", page, err, want)
		}
	}
}

func TestOurs(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]bool{
		"---\ntitle: A\ngenerated: {by: causal/docs-1}\n---\n\n# A\n": true,
		keep.Mark + "\n# A\n":                                                          true,
		"# A\n\n> B.\n\n" + keep.Mark + "\nC.\n\n## D\n":                               true,
		"<<<<<<< ours\n# A\n=======\n# B\n>>>>>>> theirs\n\n" + keep.Mark + "\n## D\n": true,
		"# A\n\nThe mark is `" + strings.TrimSpace(keep.Mark) + "`.\n":                 false,
		"# A\n\n    " + keep.Mark + "\n":                                               false,
		"# A\n\n## B\n\n" + keep.Mark + "\nC.\n":                                       false,
		"# A\n\n```\n" + keep.Mark + "```\n":                                           false,
		"# A\n":                                                                        false,
		"":                                                                             false,
	} {
		if got := keep.Ours([]byte(page)); got != want {
			t.Errorf("%q: got %v", page, got)
		}
	}
}
