package main

import (
	"regexp"
	"slices"
	"strings"
)

// scriptCall is a function signature of TypeScript or JavaScript.
type scriptCall struct {
	parameters []scriptParameter
	result     string // empty where nothing says
}

// scriptParameter has its name, with dots before and a question mark behind as a type has them. The type is empty where nothing says.
type scriptParameter struct{ name, of string }

// scriptAlike compares the function signatures of a node with those of the tool. A missing type matches any type.
func scriptAlike(s *symbol, signature string) bool {
	shown, told := scriptCalls(s.Signature), scriptCalls(signature)
	return len(shown) == len(told) && !slices.ContainsFunc(told, func(t scriptCall) bool { return !slices.ContainsFunc(shown, t.like) })
}

func (c scriptCall) like(other scriptCall) bool {
	return sameType(c.result, other.result) && slices.EqualFunc(c.parameters, other.parameters, func(a, b scriptParameter) bool {
		return a.name == b.name && sameType(a.of, b.of)
	})
}

func sameType(a, b string) bool { return a == "" || b == "" || a == b }

// scriptCalls are the functions among lines, each of them once.
func scriptCalls(lines string) []scriptCall {
	var out []scriptCall
	for line := range strings.Lines(lines) {
		if c, ok := callOf(strings.TrimSpace(line)); ok && !slices.ContainsFunc(out, c.like) {
			out = append(out, c)
		}
	}
	return out
}

// callOf reads the first list of parameters that a line has, and the result behind it.
func callOf(line string) (scriptCall, bool) {
	head, list, ok := strings.Cut(line, "(")
	for ok && strings.Count(head, "<") > strings.Count(strings.ReplaceAll(head, "=>", ""), ">") { // within type parameters
		var more string
		more, list, ok = strings.Cut(list, "(")
		head += more
	}
	if !ok || strings.HasPrefix(line, "@") {
		return scriptCall{}, false
	}
	parts, after := typescriptLists.split(list)
	var c scriptCall
	for _, p := range parts {
		c.parameters = append(c.parameters, scriptParameterOf(p))
	}
	after, arrow := strings.CutSuffix(strings.TrimSpace(after), "=> …")
	if rest, ok := strings.CutPrefix(after, "=>"); ok && !arrow {
		after = ":" + rest
	}
	if rest, ok := strings.CutPrefix(after, ":"); ok {
		c.result = scriptType(rest)
	}
	return c, true
}

var (
	byDefault   = regexp.MustCompile(`\s*=[^,}>]*`)
	firstOfMany = regexp.MustCompile(`(^|[(:<=,;])\|`)
	lastMember  = regexp.MustCompile(`;([})>\]])`)
)

// scriptParameterOf parses a parameter. A parameter with a default is optional.
func scriptParameterOf(text string) scriptParameter {
	colon, equals := topLevel(text)
	name, of := text, ""
	switch {
	case colon >= 0:
		name, of = text[:colon], text[colon+1:]
		if equals >= 0 {
			of = text[colon+1 : equals]
		}
	case equals >= 0:
		name = text[:equals]
	}
	name = strings.TrimSpace(name)
	optional := equals >= 0 || strings.HasSuffix(name, "?")
	name = strings.TrimSuffix(name, "?")
	if i := strings.LastIndexByte(name, ' '); i >= 0 && !strings.ContainsAny(name, "{[") { // a modifier of a constructor's
		name = name[i+1:]
	}
	of = scriptType(of)
	if optional {
		name, of = name+"?", strings.TrimSuffix(of, "|undefined")
	}
	return scriptParameter{strings.Replace(strings.Join(strings.Fields(byDefault.ReplaceAllString(name, "")), ""), ",}", "}", 1), of}
}

// topLevel returns the offsets of the first colon outside of brackets and of the first equals sign after it, or -1.
func topLevel(text string) (colon, equals int) {
	colon, equals = -1, -1
	depth, before := 0, rune(0)
	for i, r := range text {
		switch {
		case strings.ContainsRune(typescriptLists.open, r):
			depth++
		case typescriptLists.closes(r, before):
			depth--
		case depth == 0 && r == ':' && colon < 0 && equals < 0:
			colon = i
		case depth == 0 && r == '=' && equals < 0 && !strings.HasPrefix(text[i:], "=>"):
			equals = i
		}
		before = r
	}
	return colon, equals
}

// scriptType normalizes a type, because the compiler formats it differently from source code.
func scriptType(text string) string {
	text = strings.Join(strings.Fields(text), "")
	text = strings.NewReplacer("'", `"`, ",", ";").Replace(text)
	return lastMember.ReplaceAllString(firstOfMany.ReplaceAllString(text, "$1"), "$1")
}
