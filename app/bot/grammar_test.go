package bot

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/github"
)

// TestGrammar checks the arguments of commands, in the forms that users write.
func TestGrammar(t *testing.T) {
	t.Parallel()
	const id = "faa94cb779"
	for _, c := range []struct {
		verb, said                   string
		targets, resolves, considers []string
		text                         string
	}{
		{"propose", "Use tabs: they are wide", nil, nil, nil, "Use tabs: they are wide"},
		{"propose", "considering the cost we stay", nil, nil, nil, "considering the cost we stay"},
		{"propose", "considering " + id + " and \"a b\": Use tabs", nil, nil, []string{id, `"a b"`}, "Use tabs"},
		{"contradict", id + " No", []string{id}, nil, nil, "No"},
		{"contradict", id + ": No", []string{id}, nil, nil, "No"},
		{"contradict", "“a quote” because it is late", []string{`"a quote"`}, nil, nil, "it is late"},
		{"contradict", "sessions in the cookie: Too small: 4 KB", []string{"sessions in the cookie"}, nil, nil, "Too small: 4 KB"},
		{"contradict", "https://example.com/octo/shop/pull/3#issuecomment-5: No", []string{"https://example.com/octo/shop/pull/3#issuecomment-5"}, nil, nil, "No"},
		{"contradict", id + " and nobody wants it", []string{id}, nil, nil, "and nobody wants it"},
		{"refine", `"a" answering "b": Better`, []string{`"a"`}, []string{`"b"`}, nil, "Better"},
		{"answer", `"b": Better`, nil, []string{`"b"`}, nil, "Better"},
		{"synthesize", `"a", "b" and ` + id + ": All\nof it", []string{`"a"`, `"b"`, id}, nil, nil, "All\nof it"},
		{"park", "rewrite in Zig: not now", []string{"rewrite in Zig"}, nil, nil, "not now"},
		{"park", "rewrite in Zig", []string{"rewrite in Zig"}, nil, nil, ""},
		{"confirm", id, []string{id}, nil, nil, ""},
	} {
		d, wrong := draftOf(c.verb, sayable[c.verb], c.said)
		if wrong != "" || !slices.Equal(d.Targets, c.targets) || !slices.Equal(d.Resolves, c.resolves) || !slices.Equal(d.Considers, c.considers) || d.Text != c.text {
			t.Errorf("%s %s is %+v, %s", c.verb, c.said, d, wrong)
		}
	}
	for verb, said := range map[string][]string{
		"propose": {""}, "contradict": {"", "no colon anywhere", ": No", id, `"a":`}, "synthesize": {`"a": One`, "a and b: Two", `"a" and "b"`}, "park": {"", ": not now"},
	} {
		for _, s := range said {
			if d, wrong := draftOf(verb, sayable[verb], s); !strings.Contains(wrong, "/causal "+verb) {
				t.Errorf("%s %s is %+v, %q", verb, s, d, wrong)
			}
		}
	}
}

// TestWhatCommentsSay: a text goes on in the lines right below its command, and nothing is obeyed that Markdown shows as an example.
func TestWhatCommentsSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		want []string // the verb and its arguments
	}{
		{"/causal propose a\nb\n  c\n/causal pause\n\n/causal help", []string{"propose a\nb\nc", "pause ", "help "}},
		{"/causal propose a\n\nb\n/causal pause", []string{"propose a"}},
		{"/causal propose a\n```\n/causal pause\n```", []string{"propose a"}},
		{"/causal propose a\n> b\n/causal pause", []string{"propose a"}},
		{"/causal propose a\n<!--\n/causal pause\n-->", []string{"propose a"}},
		{"/causal propose a\n    /causal pause\n/causal pause", []string{"propose a"}},
		{"/causal pause\nsince it is late\n/causal help", []string{"pause "}},
	} {
		var got []string
		for _, one := range commandsIn(c.body) {
			got = append(got, one.verb+" "+one.said)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q says %q", c.body, got)
		}
	}
}

// FuzzSayings: whatever a comment says, nothing of it is lost or made up, and it ends.
func FuzzSayings(f *testing.F) {
	f.Add("/causal contradict \"a\" and “b” answering c, d: e\nf\n/causal propose considering 12345678 : x")
	f.Add("/causal synthesize https://a: b")
	f.Fuzz(func(t *testing.T, body string) {
		for i, c := range commandsIn(body) {
			s, ok := sayingOf(state{}, github.Said{URL: "https://example.com/pull/1#issuecomment-2"}, c, i)
			if !ok || s.wrong != "" || s.Asks != "" {
				continue
			}
			for _, text := range slices.Concat(s.Draft.Targets, s.Draft.Resolves, s.Draft.Considers, []string{s.Draft.Text}) {
				if !strings.Contains(c.said, strings.Trim(text, `"`)) {
					t.Fatalf("%q says %q", c.said, text)
				}
			}
		}
	})
}
