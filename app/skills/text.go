package skills

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/causaldocs/causal/knowledge/skill"
)

const (
	longestTemplate = 128 << 10
	longestOutput   = 1 << 20  // bytes of a text
	mostWork        = 64 << 20 // of a template: bytes that its functions make, and more for each turn of a loop
	workOfTurn      = 64
	widest          = 1000 // characters that a format may pad to
	mostMatches     = 1000
	longestPattern  = 2000
)

var textCapabilities = []capability{{
	skill.Spec{
		ID: "text.template", About: "Fills in a Go text/template. It has the functions of text/template without `call`, and `join`, `lower`, `upper`, `trim`, `replace`, `contains`, `hasPrefix`, `escape` and `code` (for Markdown), `anchor` and `add`.",
		Input: []skill.Field{
			checked(req("template", skill.String, "The template."), func(v any) error {
				_, err := parseTemplate(v.(string), &meter{})
				return lined(err)
			}),
			opt("data", skill.Any, "Data for the template."),
		},
		Output: []skill.Field{opt("text", skill.String, "The text."), opt("text_length", skill.Integer, "Number of its bytes.")},
	}, func(_ *session, in map[string]any) (map[string]any, error) {
		out, err := fill(text(in, "template"), in["data"])
		return map[string]any{"text": out, "text_length": len(out)}, lined(err)
	},
}, {
	skill.Spec{
		ID: "text.match", About: "Finds the matches of a regular expression (RE2) in a text.",
		Input: []skill.Field{
			checked(req("pattern", skill.String, "The regular expression."), func(v any) error {
				_, err := pattern(v.(string))
				return err
			}),
			req("text", skill.String, "The text."), opt("most", skill.Integer, "Number of matches, 1000 by default."),
		},
		Output: []skill.Field{rows("matches", "Matches", "text", "groups", "line"), opt("count", skill.Integer, "Number of matches."), opt("matched", skill.Boolean, "Whether there is a match.")},
	}, func(_ *session, in map[string]any) (map[string]any, error) {
		re, err := pattern(text(in, "pattern"))
		if err != nil {
			return nil, err
		}
		return match(re, text(in, "text"), limit(in, mostMatches)), nil
	},
}}

func pattern(text string) (*regexp.Regexp, error) {
	if len(text) > longestPattern {
		return nil, fmt.Errorf("the pattern has more than %d bytes", longestPattern)
	}
	return regexp.Compile(text)
}

func match(re *regexp.Regexp, text string, most int) map[string]any {
	out, line, at := []any{}, 1, 0
	for _, m := range re.FindAllStringSubmatchIndex(text, most) {
		line, at = line+strings.Count(text[at:m[0]], "\n"), m[0]
		groups := []any{}
		for i := 2; i+1 < len(m); i += 2 {
			group := ""
			if m[i] >= 0 {
				group = text[m[i]:m[i+1]]
			}
			groups = append(groups, group)
		}
		out = append(out, map[string]any{"text": text[m[0]:m[1]], "groups": groups, "line": line})
	}
	return map[string]any{"matches": out, "count": len(out), "matched": len(out) > 0}
}

// meter limits the work and the output of a template.
type meter struct {
	out  strings.Builder
	work int
}

var (
	errLong = fmt.Errorf("the text has more than %d bytes", longestOutput)
	errWork = errors.New("the template does too much")
)

func (m *meter) Write(p []byte) (int, error) {
	if m.out.Len()+len(p) > longestOutput {
		return 0, errLong
	}
	return m.out.Write(p)
}

func (m *meter) spend(n int) error {
	if m.work += n; m.work > mostWork {
		return errWork
	}
	return nil
}

// tick is added to each loop and template by the parser.
const tick = "_tick"

// shown is added to each written pipeline by the parser. It rejects a missing value.
const shown = "_shown"

type missingError struct{ what string }

func (e *missingError) Error() string {
	return fmt.Sprintf("{{%s}} has no value: put it into {{with}} or {{if}}", e.what)
}

func show(what string, v any) (any, error) {
	if v == nil {
		return nil, &missingError{what}
	}
	return v, nil
}

// errNil reports a missing value in a function.
var errNil = errors.New("a value is missing: put it into {{with}} or {{if}}")

var place = lazyregexp.New(`(?s)^template: template:([0-9]+)(?::[0-9]+)?: (?:executing "[^"]*" at )?(.*)$`)

func lined(err error) error {
	if err == nil || errors.Is(err, errWork) {
		return err
	}
	m := place.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	line, _ := strconv.Atoi(m[1])
	text := errors.New(m[2])
	if missing, ok := errors.AsType[*missingError](err); ok {
		text = missing
	}
	return &skill.LineError{Input: "template", Line: line, Err: text}
}

func (m *meter) room(size int) error {
	if size > longestOutput {
		return errLong
	}
	return m.spend(2 * size)
}

func (m *meter) made(f func(args ...any) string) func(args ...any) (string, error) {
	return func(args ...any) (string, error) {
		if slices.Contains(args, nil) {
			return "", errNil
		}
		if err := m.room(sizeOf(args, longestOutput)); err != nil {
			return "", err
		}
		return f(args...), nil
	}
}

// sizeOf estimates the bytes of a value as text. It stops a little above most.
func sizeOf(v any, most int) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []any:
		n := 2
		for _, x := range v {
			if n += 1 + sizeOf(x, most-n); n > most {
				break
			}
		}
		return n
	case map[string]any:
		n := 5
		for k, x := range v {
			if n += 2 + len(k) + sizeOf(x, most-n); n > most {
				break
			}
		}
		return n
	}
	return 32
}

func one(f func(s string) string) func(args ...any) string {
	return func(args ...any) string { return f(fmt.Sprint(args...)) }
}

func (m *meter) functions() template.FuncMap {
	return template.FuncMap{
		shown:  show,
		tick:   func() (string, error) { return "", m.spend(workOfTurn) },
		"call": func(...any) (string, error) { return "", errors.New("call is not allowed") },
		"printf": func(format string, args ...any) (string, error) {
			if slices.Contains(args, nil) {
				return "", errNil
			}
			if err := checkFormat(format); err != nil {
				return "", err
			}
			if err := m.room(len(format) + widest*strings.Count(format, "%") + sizeOf(args, longestOutput)); err != nil {
				return "", err
			}
			return fmt.Sprintf(format, args...), nil
		},
		"print": m.made(fmt.Sprint), "println": m.made(fmt.Sprintln), "html": m.made(template.HTMLEscaper), "js": m.made(template.JSEscaper), "urlquery": m.made(template.URLQueryEscaper),
		"lower": m.made(one(strings.ToLower)), "upper": m.made(one(strings.ToUpper)), "trim": m.made(one(strings.TrimSpace)),
		"escape": m.made(one(markdown.Escape)), "code": m.made(one(markdown.Code)), "anchor": m.made(one(markdown.Slug)),
		"join": func(list []any, separator string) (string, error) {
			if err := m.room(sizeOf(list, longestOutput) + len(list)*len(separator)); err != nil {
				return "", err
			}
			parts := make([]string, len(list))
			if slices.Contains(list, nil) {
				return "", errNil
			}
			for i, x := range list {
				parts[i] = fmt.Sprint(x)
			}
			return strings.Join(parts, separator), nil
		},
		"replace": func(old, with, s string) (string, error) {
			if err := m.room(len(s) + (strings.Count(s, old)+1)*len(with)); err != nil {
				return "", err
			}
			return strings.ReplaceAll(s, old, with), nil
		},
		"contains": func(part, s string) bool { return strings.Contains(s, part) }, "hasPrefix": func(prefix, s string) bool { return strings.HasPrefix(s, prefix) },
		"add": func(a, b int) int { return a + b },
	}
}

// checkFormat rejects formats with unlimited padding.
func checkFormat(format string) error {
	width := 0
	verb := false
	for _, r := range format {
		switch {
		case r == '%':
			verb, width = !verb, 0
		case verb && r == '*':
			return errors.New("printf cannot take a width from an argument")
		case verb && r >= '0' && r <= '9':
			if width = 10*width + int(r-'0'); width > widest {
				return fmt.Errorf("printf cannot pad to more than %d characters", widest)
			}
		case r == '.', strings.ContainsRune("+-# []", r):
			width = 0
		default:
			verb = false
		}
	}
	return nil
}

// parseTemplate parses a template and adds the meter.
func parseTemplate(text string, m *meter) (*template.Template, error) {
	if len(text) > longestTemplate {
		return nil, fmt.Errorf("the template has more than %d bytes", longestTemplate)
	}
	functions := m.functions()
	t, err := template.New("template").Funcs(functions).Parse(text)
	if err != nil {
		return nil, err
	}
	spends := template.Must(template.New("").Funcs(functions).Parse("{{" + tick + "}}")).Root.Nodes[0]
	for _, one := range t.Templates() {
		if one.Tree != nil {
			meterLoops(one.Root, spends)
			one.Root.Nodes = append([]parse.Node{spends}, one.Root.Nodes...)
		}
	}
	return t, nil
}

func showing(a *parse.ActionNode) {
	if len(a.Pipe.Decl) > 0 {
		return
	}
	last, _ := a.Pipe.Cmds[len(a.Pipe.Cmds)-1].Copy().(*parse.CommandNode) // it has the tree and the place
	last.Args = []parse.Node{parse.NewIdentifier(shown).SetPos(last.Pos), &parse.StringNode{NodeType: parse.NodeString, Pos: last.Pos, Text: a.Pipe.String()}}
	a.Pipe.Cmds = append(a.Pipe.Cmds, last)
}

// meterLoops adds tick to each loop, and shown to each written value.
func meterLoops(n parse.Node, spends parse.Node) {
	branch := func(b *parse.BranchNode) {
		meterLoops(b.List, spends)
		if b.ElseList != nil {
			meterLoops(b.ElseList, spends)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, x := range n.Nodes {
			meterLoops(x, spends)
		}
	case *parse.ActionNode:
		showing(n)
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
		n.List.Nodes = append([]parse.Node{spends}, n.List.Nodes...)
	}
}

func fill(text string, data any) (string, error) {
	m := &meter{}
	t, err := parseTemplate(text, m)
	if err != nil {
		return "", err
	}
	if err := t.Execute(m, data); err != nil {
		return "", err
	}
	return m.out.String(), nil
}
