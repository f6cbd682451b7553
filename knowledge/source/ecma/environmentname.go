package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// constant is where the value begins that a constant of the file has; -1 for any other name.
func (x *extractor) constant(name string) int {
	if x.constants == nil {
		x.constants = map[string]int{}
		for i := range x.t {
			if !x.t[i].isKeyword(kConst) || x.at(i+1).kind != tIdent {
				continue
			}
			value := i + 2
			if x.at(value).isPunct(':') {
				value = x.skipType(value + 1)
			}
			if x.at(value).isPunct('=') {
				x.constants[x.text(i+1)] = value + 1
			}
		}
	}
	if at, ok := x.constants[name]; ok {
		return at
	}
	return -1
}

// mostAddends is how many tokens the name of a variable has at most.
const mostAddends = 16

// variableNames are the names that the tokens from one to another spell out: one, or those of the list that a loop goes over.
func (x *extractor) variableNames(from, to int) []string {
	if to == from+1 && x.at(from).kind == tIdent && x.constant(x.text(from)) < 0 {
		if names := x.looped(from); len(names) > 0 {
			return names
		}
	}
	var parts []string
	for i := from; i < min(to, from+mostAddends); i++ {
		switch t := x.at(i); {
		case t.kind == tIdent && x.afterDot(i), t.isPunct('.'), t.isPunct('+'):
		case t.kind == tIdent && x.at(x.constant(x.text(i))).kind == tString:
			parts = append(parts, source.Text+unquote([]byte(x.text(x.constant(x.text(i))))))
		case t.kind == tString, t.kind == tTemplate:
			parts = append(parts, source.Text+unquote([]byte(x.text(i))))
		case t.kind == tTemplateHead, t.kind == tTemplateMiddle, t.kind == tTemplateTail:
			parts = append(parts, source.Text+strings.TrimSuffix(strings.Trim(x.text(i), "`}"), "${"))
		default:
			parts = append(parts, source.Unknown)
		}
	}
	return []string{source.Joined(parts)}
}

// overEach are the methods that call a function for each element of a list.
var overEach = map[string]bool{"forEach": true, "map": true, "filter": true, "some": true, "every": true, "find": true, "flatMap": true, "reduce": true}

// looped are the values of the variable at i: of a loop over a list of the file, or the parameter of a function that is
// called for each of its elements.
func (x *extractor) looped(i int) []string {
	name := x.text(i)
	for j := i - 1; j > max(0, i-mostHeader); j-- {
		if !x.textIs(j, name) || x.at(j).kind != tIdent {
			continue
		}
		if x.textIs(j+1, "of") {
			return x.listed(j + 2)
		}
		open := j - 1
		if x.at(open).isPunct('(') && x.at(j+2).isPunct(pArrow) {
			open--
		}
		if (x.at(j+1).isPunct(pArrow) || x.at(j+2).isPunct(pArrow)) && x.at(open).isPunct('(') && overEach[x.text(open-1)] && x.at(open-2).isPunct('.') {
			begin := open - 3
			if t := x.at(begin); t.match >= 0 && int(t.match) < begin {
				begin = int(t.match)
			}
			if x.textIs(begin-1, "keys") {
				begin -= 3
			}
			return x.listed(begin)
		}
	}
	return nil
}

// listed are the texts of the list at i, or the keys of an object; of a constant of the file those of its value. What many loops go over is
// listed for a few of them.
func (x *extractor) listed(i int) (out []string) {
	x.listings++
	if x.listings > mostListings {
		return nil
	}
	keys := x.textIs(i, "Object") && x.textIs(i+2, "keys")
	if keys {
		i += 4
	}
	if x.at(i).kind == tIdent {
		i = x.constant(x.text(i))
	}
	switch t := x.at(i); {
	case t.isPunct('{') && keys:
		x.properties(i, func(name string, _, _ int) { out = append(out, name) })
	case t.isPunct('['):
		for j := i + 1; j < int(t.match); j++ {
			text, ok := x.textOf(j)
			if !ok || !isVariable(text) {
				return nil
			}
			out = append(out, text)
			j = x.skipExpression(j)
		}
	}
	if len(out) > mostListed {
		return nil
	}
	return out
}

const (
	mostListed   = 256 // variables of a list
	mostListings = 64  // reads in loops of a file
)

// settings are the files of tools that set variables for code, and the keys under which they do.
var settings = map[string]string{"next.config": "env", "nuxt.config": "env", "vite.config": "define", "vitest.config": "env"}

// sets notes the variables that the configuration of a tool gives to code: an operator does not set them.
func (x *extractor) sets() {
	base := x.path[strings.LastIndexByte(x.path, '/')+1:]
	key := settings[strings.Join(strings.SplitN(base, ".", 3)[:min(2, strings.Count(base, ".")+1)], ".")]
	if key == "" {
		return
	}
	for i := range x.t {
		if !x.textIs(i, key) || !x.at(i+1).isPunct(':') || !x.at(i+2).isPunct('{') {
			continue
		}
		add := func(name string, at int) {
			for _, prefix := range []string{"process.env.", "import.meta.env."} {
				name = strings.TrimPrefix(name, prefix)
			}
			x.facts = append(x.facts, source.Fact{Kind: source.Sets, Name: name, Line: int(x.t[at].line)})
		}
		x.properties(i+2, func(name string, at, _ int) { add(name, at) })
		for j := i + 3; j < int(x.at(i+2).match); j = x.skipExpression(j) + 1 {
			if x.at(j).kind == tIdent && (x.at(j+1).isPunct(',') || x.at(j+1).isPunct('}')) {
				add(x.text(j), j)
			}
		}
	}
}
