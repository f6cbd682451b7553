package skills

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/skill"
)

func TestTemplates(t *testing.T) {
	t.Parallel()
	data := map[string]any{"l": []any{"b", "a"}, "n": 3, "s": "a|b_c"}
	for name, c := range map[string]struct{ template, want string }{
		"text":            {"{{.n}} {{range .l}}{{.}}{{end}}", "3 ba"},
		"nothing missing": {"[{{with .none}}x{{end}}]", "[]"},
		"join":            {`{{join .l ", "}}`, "b, a"},
		"markdown":        {"{{code .s}} {{escape \"*\"}}", "`a|b_c` \\*"},
		"replace":         {`{{replace "b" "x" .s}}`, "a|x_c"},
		"format":          {`{{printf "%05d %s" .n "x"}}`, "00003 x"},
		"define":          {`{{define "x"}}<{{.}}>{{end}}{{template "x" .n}}`, "<3>"},
		"break":           {`{{range .l}}{{break}}{{end}}{{range $i, $x := .l}}{{if $i}}{{continue}}{{end}}{{$x}}{{end}}`, "b"},
	} {
		if got, err := fill(c.template, data); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestErrorsOfTemplates: a template that writes a missing value fails. Errors have the line of the template.
func TestErrorsOfTemplates(t *testing.T) {
	t.Parallel()
	data := map[string]any{"count": 3, "nil": nil, "l": []any{map[string]any{"a": 1}}, "n": []any{nil}}
	for template, want := range map[string]string{
		"{{.cuont}} modules":                  "1: {{.cuont}} has no value",
		"a\n\n{{range .l}}\n{{.none}}{{end}}": "4: {{.none}} has no value",
		"a\n{{.nil}}":                         "2: {{.nil}} has no value",
		"a\n{{define \"x\"}}\n{{.none}}{{end}}{{template \"x\" .}}": "3: {{.none}} has no value",
		"\n{{print .none}}":             "2: <print .none>: error calling print: a value is missing",
		"\n{{printf \"%s\" .nil}}":      "2: <printf \"%s\" .nil>: error calling printf: a value is missing",
		"\n{{join .n \"\"}}":            "2: <join .n \"\">: error calling join: a value is missing",
		"\n{{.count.x}}":                "2: <.count.x>: can't evaluate field x",
		"\n\n{{nothing}}":               "3: function \"nothing\" not defined",
		"\n{{if}}":                      "2: missing value for if",
		"\n{{range 1000000000}}{{end}}": "0: ",
	} {
		_, err := fill(template, data)
		line := 0
		if at, ok := errors.AsType[*skill.LineError](lined(err)); ok {
			line = at.Line
		}
		if got := fmt.Sprintf("%d: %v", line, lined(err)); err == nil || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", template, got, want)
		}
	}
}

// TestTemplatesAreBounded: whatever a template does, it ends soon and takes little memory.
func TestTemplatesAreBounded(t *testing.T) {
	t.Parallel()
	long := make([]any, 2000)
	data := map[string]any{"l": long, "s": strings.Repeat("x", 10_000), "f": "x"}
	for name, template := range map[string]string{
		"call":              "{{call .f}}",
		"width":             `{{printf "%1000000000d" 1}}`,
		"precision":         `{{printf "%.1000000000f" 1.0}}`,
		"width by argument": `{{printf "%*d" 1000000000 1}}`,
		"indexed width":     `{{printf "%[1]*d" 1000000000}}`,
		"many widths":       `{{printf "` + strings.Repeat("%999d", 2000) + `"}}`,
		"a number's range":  "{{range 1000000000}}{{end}}",
		"nested loops":      "{{range .l}}{{range $.l}}{{range $.l}}{{end}}{{end}}{{end}}",
		"doubling":          `{{$x := .s}}{{range .l}}{{$x = print $x $x}}{{end}}`,
		"replacing":         `{{$x := .s}}{{range .l}}{{$x = replace "x" "xx" $x}}{{end}}`,
		"replacing nothing": `{{$x := .s}}{{range .l}}{{$x = replace "" "xxxxxxxxxx" $x}}{{end}}`,
		"joining":           `{{join .l .s}}`,
		"output":            "{{range .l}}{{$.s}}{{end}}",
		"recursion":         `{{define "x"}}{{template "x" .}}{{template "x" .}}{{end}}{{template "x" .}}`,
		"escaping":          `{{$x := .s}}{{range .l}}{{$x = html $x "<<<<"}}{{$x = print $x $x}}{{end}}`,
		"a large template":  strings.Repeat("x", longestTemplate+1),
		"wrong index":       "{{index .l 99999}}",
		"field of a text":   "{{.s.y.z}}",
	} {
		if got, err := fill(template, data); err == nil {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	re, err := pattern(`(\w+)=(\d+)`)
	if err != nil {
		t.Fatal(err)
	}
	got := match(re, "a=1\nb\nc=3 d=4", 2)
	want := []any{
		map[string]any{"text": "a=1", "groups": []any{"a", "1"}, "line": 1}, map[string]any{"text": "c=3", "groups": []any{"c", "3"}, "line": 3},
	}
	if !reflect.DeepEqual(got["matches"], want) || got["count"] != 2 || got["matched"] != true {
		t.Errorf("got %v", got)
	}
	if re, _ := pattern("(a+)+$"); match(re, strings.Repeat("a", 5000)+"b", 1)["matched"] != false {
		t.Error("it matches")
	}
	if _, err := pattern(strings.Repeat("a", longestPattern+1)); err == nil {
		t.Error("a long pattern is read")
	}
}

func FuzzTemplates(f *testing.F) {
	f.Add("{{range .l}}{{printf \"%9d\" 1}}{{end}}")
	f.Fuzz(func(_ *testing.T, template string) {
		_, _ = fill(template, map[string]any{"l": []any{1, "x"}, "m": map[string]any{"k": 1}})
	})
}
