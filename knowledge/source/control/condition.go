package control

import (
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

// Is returns the condition that a value matches one of the labels of a case.
func Is(value string, labels ...string) Condition {
	switch value = quotable(value); {
	case value == "" || len(labels) == 0:
		return Condition{}
	case value == "true" && len(labels) == 1:
		return If(labels[0])
	}
	all := value
	for i, l := range labels {
		if labels[i] = quotable(l); labels[i] == "" {
			return Condition{}
		}
		all += l
	}
	c := condition("`"+value+"` is `"+strings.Join(labels, "` or `")+"`", all)
	c.apart = true
	return c
}

func condition(words, code string) Condition {
	if code == "" || len(code) > longestCondition {
		return Condition{}
	}
	return Condition{words: words}
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

// quotable returns code without the parentheses around it, or "" if it cannot be quoted.
func quotable(code string) string {
	if inner, ok := strings.CutPrefix(code, "("); ok && strings.HasSuffix(inner, ")") && isOperand(code) {
		code = strings.TrimSpace(strings.TrimSuffix(inner, ")"))
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

// isOperand reports whether code has no operator: no space outside of brackets, and nothing behind brackets that it begins with.
func isOperand(code string) bool {
	depth := 0
	for i, r := range code {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 && code[0] == '(' && i < len(code)-1 {
				return false
			}
		case ' ', '=', '<', '>', '&', '|', '+', '*', '/':
			if depth == 0 && i > 0 {
				return false
			}
		}
	}
	return depth == 0
}
