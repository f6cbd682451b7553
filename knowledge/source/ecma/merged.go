package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// merging reads `Object.assign(exports, …)`, which exports the members of its other arguments.
func (x *extractor) merging(i int) {
	first, rest, ok := x.merged(span{From: i, To: x.skipExpression(i)})
	if !ok {
		return
	}
	if t := x.target(first.From); t.To == first.To && isExports(t.path) {
		for _, object := range rest {
			x.exportMembers(object, modifiers{start: i, headFrom: i, export: true})
		}
	}
}

// merged splits the arguments of Object.assign into the target and the sources.
func (x *extractor) merged(call span) (first span, rest []span, ok bool) {
	callee := x.target(call.From)
	open := callee.To
	if strings.Join(callee.path, ".") != "Object.assign" || !x.at(open).isPunct('(') || x.skip(open) != call.To {
		return span{}, nil, false
	}
	var args []span
	x.list(open, int(x.t[open].match), func(i int) int {
		args = append(args, span{From: i, To: x.skipExpression(i)})
		return args[len(args)-1].To
	})
	if len(args) == 0 {
		return span{}, nil, false
	}
	return args[0], args[1:], true
}

// exportMembers exports the members of an object literal, or of a required file.
func (x *extractor) exportMembers(value span, m modifiers) bool {
	switch {
	case x.at(value.From).isPunct('{') && x.skip(value.From) >= value.To:
		x.exportObject(value.From, m)
	case x.requireEnd(value.From) == value.To && !value.Empty():
		x.taken[value.From] = true
		x.addImport(value.From+2, x.at(value.From).line, source.Import{All: true, Reexport: true})
	default:
		return false
	}
	return true
}
