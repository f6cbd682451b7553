package typescript

import (
	"cmp"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/testgen/spec"
)

// example is an existing call with literal arguments.
type example struct {
	args []spec.Value
	want *spec.Want // the documented result, if any
}

// longestExample limits the bytes of documentation that are searched.
const (
	longestExample = 16 << 10
	mostExamples   = 24
)

var (
	says   = lazyregexp.New(`^\s*(?:=>|→|->|[Rr]eturns?:?|[Oo]utputs?:|[Rr]esult:)\s*(.*)$`)
	throws = lazyregexp.New(`(?i)^\s*(?:=>|→|->)?\s*throws?\b|^\s*(?:=>|→|->)\s*(?:\w*Error)\b`)
)

// docExamples finds the calls of a function in documented code: after @example, or in fences.
func docExamples(doc, symbol string) []example {
	if len(doc) > longestExample {
		doc = doc[:longestExample]
	}
	var out []example
	pending := ""
	shown, fenced := false, false
	for line := range strings.Lines(doc) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
			pending = ""
			continue
		case strings.HasPrefix(line, "@example"):
			shown, pending = true, ""
			line = strings.TrimSpace(strings.TrimPrefix(line, "@example"))
		case strings.HasPrefix(line, "@") && !fenced:
			shown = false
		}
		if !shown && !fenced || len(out) >= mostExamples {
			continue
		}
		code, comment, commented := cutComment(line)
		if code = strings.TrimSpace(code); code == "" && !commented {
			pending = ""
			continue
		}
		statement := code
		if code == "" {
			statement = pending
		}
		if args, moved, ok := callIn(statement, symbol); ok {
			e := example{args: args}
			if commented && !moved {
				e.want = wantIn(comment)
			}
			if n := len(out) - 1; code == "" && n >= 0 && out[n].want == nil && statement == pending {
				out[n].want = e.want
			} else if code != "" {
				out = append(out, e)
			}
		}
		if pending = statement; code == "" {
			pending = "" // only the first comment can be the result
		}
	}
	return out
}

// cutComment splits a line at its trailing comment.
func cutComment(line string) (code, comment string, ok bool) {
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '/' && i+1 < len(line) && line[i+1] == '/':
			return line[:i], line[i+2:], true
		}
	}
	return line, "", false
}

// wantIn parses a comment as a result; nil if it is something else.
func wantIn(comment string) *spec.Want {
	if throws.MatchString(comment) {
		return &spec.Want{Error: true}
	}
	if m := says.FindStringSubmatch(comment); m != nil {
		comment = m[1]
	}
	v, ok := valueOf(strings.TrimSuffix(strings.TrimSpace(comment), ";"))
	if !ok {
		return nil
	}
	return wantOf(v)
}

func wantOf(v spec.Value) *spec.Want {
	return &spec.Want{Values: []spec.Typed{{Type: typeOf(v), Value: v}}}
}

// typeOf names the type of a value whose parameter has no short type.
func typeOf(v spec.Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []spec.Value:
		return "array"
	case map[string]spec.Value:
		return cmp.Or(string(kindOf[tagged(v)]), "object")
	}
	return "number"
}

// callIn returns the arguments of a call if they are literals. moved reports that an object's properties are not in
// sorted order, as specs have them, so the result may differ.
func callIn(code, symbol string) (args []spec.Value, moved, ok bool) {
	if !strings.Contains(code, symbol+"(") {
		return nil, false, false
	}
	t, _ := tokensOf(code)
	calls := callsIn(t, symbol)
	if len(calls) == 0 || !wholeCall(t, calls[0].at) {
		return nil, false, false
	}
	return calls[0].args, calls[0].moved, true
}

// wholeCall reports whether a statement consists of the call alone.
func wholeCall(t []ecma.Token, open int) bool {
	end := t[open].Match + 1
	for end < len(t) && (t[end].Text == ";" || t[end].Text == ")") {
		end++
	}
	if end < len(t) {
		return false
	}
	for i := range open - 1 {
		switch t[i].Text {
		case "!", "+", "-", "*", "?", "new", "typeof", "[", "{":
			return false
		}
	}
	return true
}

type call struct {
	at    int
	args  []spec.Value
	moved bool
}

// callsIn finds the calls with literal arguments.
func callsIn(t []ecma.Token, symbol string) (out []call) {
	base, method, static := strings.Cut(symbol, ".")
	for i := 0; i < len(t) && len(out) < mostExamples; i++ {
		if t[i].Kind != ecma.Word || t[i].Text != base {
			continue
		}
		open := i + 1
		if static {
			if at(t, i+1).Text != "." || at(t, i+2).Text != method {
				continue
			}
			open = i + 3
		}
		if at(t, i-1).Text == "." || at(t, i-1).Text == "function" || at(t, open).Text != "(" {
			continue
		}
		if args, moved, ok := literalArgs(t, open); ok {
			out = append(out, call{open, args, moved})
		}
	}
	return out
}

func literalArgs(t []ecma.Token, open int) (args []spec.Value, moved, ok bool) {
	end := t[open].Match
	if end <= open {
		return nil, false, false
	}
	args = []spec.Value{}
	for l := (literals{t: t[:end], i: open + 1}); l.i < end; l.i++ {
		v, ok := l.value(0)
		if !ok || l.i < end && t[l.i].Text != "," {
			return nil, false, false
		}
		args, moved = append(args, v), moved || l.moved
	}
	return args, moved, true
}
