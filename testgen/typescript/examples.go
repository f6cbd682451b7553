package typescript

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source/ecma"
	"github.com/causaldocs/causal/testgen/spec"
)

// example is a call that somebody wrote down with literals.
type example struct {
	args []spec.Value
	want *spec.Want // what is said to come of it; nil where nothing is
}

// longestExample is how many bytes of documentation are looked at for examples, and mostExamples how many are taken.
const (
	longestExample = 16 << 10
	mostExamples   = 24
)

var (
	says   = lazyregexp.New(`^\s*(?:=>|→|->|[Rr]eturns?:?|[Oo]utputs?:|[Rr]esult:)\s*(.*)$`)
	throws = lazyregexp.New(`(?i)^\s*(?:=>|→|->)?\s*throws?\b|^\s*(?:=>|→|->)\s*(?:\w*Error)\b`)
)

// docExamples finds the calls of a function in the code that its documentation shows: after @example, or between fences.
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
			pending = "" // a second comment says something else
		}
	}
	return out
}

// cutComment divides a line at the comment at its end.
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

// wantIn is the result that a comment tells; nil when it tells something else.
func wantIn(comment string) *spec.Want {
	if throws.MatchString(comment) {
		return &spec.Want{Error: true}
	}
	if m := says.FindStringSubmatch(comment); m != nil {
		comment = m[1]
	}
	t, problem, err := ecma.Scan(context.Background(), "a.ts", []byte(strings.TrimSuffix(strings.TrimSpace(comment), ";")))
	if err != nil || problem != "" || len(t) == 0 {
		return nil
	}
	v, next, ok := literal(t, 0)
	if !ok || next != len(t) {
		return nil
	}
	return wantOf(v)
}

// wantOf is a result as specs have it.
func wantOf(v spec.Value) *spec.Want {
	return &spec.Want{Values: []spec.Typed{{Type: typeOf(v), Value: v}}}
}

// typeOf is what a value is called that has no other type.
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
		name := map[string]string{
			undefinedKey: "undefined", bigintKey: "bigint", bytesKey: "Uint8Array", unitsKey: "string", dateKey: "Date", regexpKey: "RegExp", mapKey: "Map", setKey: "Set",
		}[tagged(v)]
		if name != "" {
			return name
		}
		return "object"
	}
	return "number"
}

// callIn is the call of a function that a line of code makes, where its arguments are literals. moved says that what comes of it may be
// something else than that of the same call in a spec, which sorts the properties of objects.
func callIn(code, symbol string) (args []spec.Value, moved, ok bool) {
	if !strings.Contains(code, symbol+"(") {
		return nil, false, false
	}
	t, _, err := ecma.Scan(context.Background(), "a.ts", []byte(code))
	if err != nil {
		return nil, false, false
	}
	calls := callsIn(t, 0, len(t), symbol)
	if len(calls) == 0 || !wholeCall(t, calls[0].at) {
		return nil, false, false
	}
	return calls[0].args, calls[0].moved, true
}

// wholeCall reports whether what a statement gives is what a call gives: nothing is done with it.
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

// call is a call with literals, and the parenthesis behind its name.
type call struct {
	at    int
	args  []spec.Value
	moved bool
}

// callsIn finds the calls of a function with literals for arguments between two tokens.
func callsIn(t []ecma.Token, from, to int, symbol string) (out []call) {
	base, method, static := strings.Cut(symbol, ".")
	for i := from; i < to && len(out) < mostExamples; i++ {
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

// literalArgs reads what stands in the parentheses of a call.
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
