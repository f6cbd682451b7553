package ecma

import "github.com/causaldocs/causal/knowledge/source"

// merging reads `Object.assign(exports, …)`, which exports the members of its other arguments.
func (x *extractor) merging(i int) {
	first, rest, ok := x.merged(span{From: i, To: x.skipExpression(i)})
	if !ok {
		return
	}
	if t := x.target(first.From); t.To == first.To {
		if p := exported(t.path); len(p) == 1 && p[0] == "exports" {
			x.exportMerged(rest, modifiers{start: i, headFrom: i, export: true})
		}
	}
}

// merged splits the arguments of Object.assign into the target and the sources.
func (x *extractor) merged(call span) (first span, rest []span, ok bool) {
	callee := x.target(call.From)
	open := callee.To
	if len(callee.path) != 2 || callee.path[0] != "Object" || callee.path[1] != "assign" || !x.at(open).isPunct('(') || x.skip(open) != call.To {
		return span{}, nil, false
	}
	var args []span
	for j := open + 1; j < int(x.t[open].match); {
		end := x.skipExpression(j)
		args = append(args, span{From: j, To: end})
		j = max(end+1, j+1)
	}
	if len(args) == 0 {
		return span{}, nil, false
	}
	return args[0], args[1:], true
}

// exportMerged exports the members of object literals and re-exports required files.
func (x *extractor) exportMerged(objects []span, m modifiers) {
	for _, o := range objects {
		switch {
		case x.at(o.From).isPunct('{') && x.skip(o.From) >= o.To:
			x.exportObject(o.From, m)
		case x.requireEnd(o.From) == o.To && o.To > o.From:
			x.taken[o.From] = true
			x.addImport(o.From+2, x.at(o.From).line, source.Import{All: true, Reexport: true})
		}
	}
}
