package control

import (
	"slices"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/redact"
)

// longestCondition limits the code of a condition that is quoted, in bytes.
const longestCondition = 72

// Condition says in words when an arm of a fork runs, with quoted code. The zero Condition says nothing.
type Condition struct {
	words string // behind "if"
	not   bool   // in its place: "unless"
	apart bool   // it excludes those of the other arms
}

// If returns the condition that code holds. The code must not depend on the formatting of the source.
func If(code string) Condition {
	if binding, ok := strings.CutPrefix(code, "let "); ok {
		if pattern, value, alone := strings.Cut(binding, " = "); alone && !strings.Contains(value, " && ") {
			return Is(value, pattern)
		}
	}
	code = quotable(strings.TrimPrefix(quotable(code), "!!"))
	plain, not := strings.CutPrefix(code, "!")
	if !not {
		plain, not = strings.CutPrefix(code, "not ")
	}
	if not = not && isOperand(plain); not {
		code = quotable(plain)
	}
	return condition("`"+code+"`", code).negated(not)
}

// Is returns the condition that a value matches one of the labels.
func Is(value string, labels ...string) Condition {
	value = quotable(value)
	all := value
	for i, l := range labels {
		if labels[i] = quotable(l); labels[i] == "" {
			return Condition{}
		}
		all += l
	}
	if value == "" || len(labels) == 0 {
		return Condition{}
	}
	return condition("`"+value+"` is `"+strings.Join(labels, "` or `")+"`", all)
}

// Case is Is for the labels of a case, which no other case has.
func Case(value string, labels ...string) Condition {
	if quotable(value) == "true" && len(labels) == 1 {
		return If(labels[0])
	}
	c := Is(value, labels...)
	c.apart = true
	return c
}

func condition(words, code string) Condition {
	if code == "" || len(code) > longestCondition {
		return Condition{}
	}
	return Condition{words: words}
}

// and adds a condition that must also hold. An empty one always does.
func (c Condition) and(code string) Condition {
	if code == "" || c.words == "" {
		return c
	}
	if code = quotable(code); code == "" {
		return Condition{}
	}
	c.words += " and `" + code + "`"
	return c
}

func (c Condition) negated(not bool) Condition {
	c.not = c.not != not && c.words != ""
	return c
}

func (c Condition) String() string {
	switch {
	case c.words == "":
		return ""
	case c.not:
		return "unless " + c.words
	}
	return "if " + c.words
}

// All joins the words of conditions that all hold.
func All(conditions ...string) string {
	var out []string
	for _, c := range conditions {
		c = affirmed(c)
		verb, code, _ := strings.Cut(c, " ")
		if last := len(out) - 1; last >= 0 && isCode(code) && strings.HasPrefix(out[last], verb+" `") && !strings.Contains(out[last], "` is `") {
			word := " and "
			if verb == "unless" {
				word = " or "
			}
			out[last] += word + code
			continue
		}
		out = append(out, c)
	}
	return strings.Join(out, ", ")
}

// isCode reports whether words are one piece of code.
func isCode(words string) bool {
	return len(words) > 2 && strings.Index(words[1:], "`") == len(words)-2
}

// negations are the operators whose negation is shorter.
var negations = [][2]string{{" != ", " == "}, {" !== ", " === "}, {" is not ", " is "}, {" not in ", " in "}}

// affirmed turns "unless `a != b`" into "if `a == b`".
func affirmed(words string) string {
	code, ok := strings.CutPrefix(words, "unless ")
	compound := func(op string) bool { return strings.Contains(code, op) }
	if !ok || !isCode(code) || slices.ContainsFunc([]string{" && ", " || ", " ?? ", " and ", " or ", " ? ", " if ", " & ", "; "}, compound) {
		return words
	}
	for _, n := range negations {
		if left, right, found := strings.Cut(code, n[0]); found && strings.Count(code, n[0]) == 1 && isWhole(left) {
			return "if " + left + n[1] + right
		}
	}
	return words
}

// isWhole reports whether the begin of quoted code ends outside of brackets and texts.
func isWhole(code string) bool {
	outer, closed := outside(code)
	return closed && !strings.Contains(outer, ",") && strings.Count(code, `"`)%2 == 0 && strings.Count(code, "'")%2 == 0
}

// quotable returns code without the parentheses around it, or "" if it cannot be quoted.
func quotable(code string) string {
	if len(code) > 2 && code[0] == '(' && isOperand(code) {
		inner := code[1 : len(code)-1]
		if outer, _ := outside(inner); !strings.Contains(outer, ",") { // no tuple
			code = strings.TrimSpace(inner)
		}
	}
	unfit := func(r rune) bool { return r == '`' || r == unicode.ReplacementChar || !unicode.IsPrint(r) }
	switch {
	case len(code) > longestCondition, strings.ContainsFunc(code, unfit):
		return ""
	case strings.ContainsAny(code, `"'`) && redact.Text(code) != code: // is compared with a secret
		return ""
	}
	return code
}

// isOperand reports whether code has no operator outside of brackets, except before it, and nothing behind brackets that it
// begins with.
func isOperand(code string) bool {
	outer, closed := outside(code)
	return closed && (outer == "()" || !strings.HasPrefix(outer, "()")) && !strings.ContainsAny(outer[min(1, len(outer)):], " =<>&|+*/")
}

// outside returns code without what is in brackets, and whether these match.
func outside(code string) (outer string, closed bool) {
	var b strings.Builder
	depth := 0
	for i := range len(code) {
		switch code[i] {
		case ')', ']', '}':
			depth--
		}
		if depth == 0 {
			b.WriteByte(code[i])
		}
		switch code[i] {
		case '(', '[', '{':
			depth++
		}
	}
	return b.String(), depth == 0
}
