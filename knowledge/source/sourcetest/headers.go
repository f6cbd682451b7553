package sourcetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// Headers fails t where the declarations of a file are taken apart otherwise than want says: a line for each, by the symbol's name.
func Headers(t *testing.T, l source.Language, path, src, want string) {
	t.Helper()
	var got strings.Builder
	f := l.Extract(context.Background(), path, []byte(src))
	for _, s := range f.Symbols {
		for _, h := range s.Headers() {
			fmt.Fprintf(&got, "%s:%s\n", s.Name, headerText(h))
		}
	}
	if want = strings.TrimPrefix(want, "\n"); got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// headerText formats the parts of a header: "public async <T: Bound>(a: int = 1, v:rest) -> int".
func headerText(h source.Header) string {
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, " "+format, args...) }
	for _, words := range [][]string{h.Notes, h.Modifiers} {
		for _, w := range words {
			add("%s", w)
		}
	}
	if h.Word != "" {
		add("[%s]", h.Word)
	}
	for _, list := range []struct {
		open, end string
		of        []source.Parameter
	}{{"<", ">", h.TypeParams}, {"(", ")", h.Params}, {"{", "}", h.Members}} {
		if len(list.of) > 0 {
			texts := make([]string, len(list.of))
			for i, p := range list.of {
				texts[i] = parameterText(p)
			}
			add("%s%s%s", list.open, strings.Join(texts, ", "), list.end)
		}
	}
	if h.Partial {
		add("…")
	}
	for _, base := range h.Bases {
		add("+%s", base)
	}
	if h.Result != "" {
		add("-> %s", h.Result)
	}
	if h.Value != "" {
		add("= %s", h.Value)
	}
	return b.String()
}

func parameterText(p source.Parameter) string {
	text := p.Name
	if p.Kind != source.Plain {
		text = string(p.Kind) + ":" + text
	}
	if p.Optional && p.Default == "" && p.Kind != source.Variadic && p.Kind != source.Keywords {
		text += "?"
	}
	if p.Type != "" {
		text += ": " + p.Type
	}
	if p.Default != "" {
		text += " = " + p.Default
	}
	return text
}
