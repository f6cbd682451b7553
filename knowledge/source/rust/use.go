package rust

import (
	"cmp"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// maxPath limits the bytes of a path: nested use trees would grow quadratically.
const maxPath = 1024

// leaf is one name of a use declaration.
type leaf struct {
	path string // the module, "a::b"; may be empty
	name string // empty with glob
	as   string // the local name, if different
	glob bool
	at   int
}

func (l leaf) local() string { return cmp.Or(l.as, l.name) }

func (l leaf) full() string { return join(l.path, l.name) }

func join(path, name string) string {
	switch {
	case path == "":
		return name
	case name == "":
		return path
	}
	return path + "::" + name
}

func splitLast(path string) (head, last string) {
	i := strings.LastIndex(path, "::")
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+2:]
}

// useTree lists the leaves of a use tree and returns its end: the ';' or the first token that cannot be part of it.
func (o *outline) useTree(i int) (leaves []leaf, end int) {
	prefixes := []string{""}
	path, last, at := "", "", i
	finish := func(l leaf) {
		if len(l.path) <= maxPath {
			l.at = at
			leaves = append(leaves, l)
		}
		path, last = prefixes[len(prefixes)-1], ""
	}
	for ; i < len(o.toks); i++ {
		switch {
		case o.is(i, "::"):
			path, last = clip(join(path, last)), ""
			o.meter.Steps(len(path) / 16) // join copies the path
		case o.is(i, "*"):
			at = i
			finish(leaf{path: path, glob: true})
		case o.is(i, "{"):
			prefixes = append(prefixes, path)
			last = ""
		case o.is(i, ","), o.is(i, "}"):
			if last != "" {
				finish(named(path, last, ""))
			}
			if o.is(i, "}") {
				if len(prefixes) == 1 {
					return leaves, i
				}
				prefixes = prefixes[:len(prefixes)-1]
			}
			path = prefixes[len(prefixes)-1]
		case o.is(i, "as") && o.class(i+1) == word && last != "":
			finish(named(path, last, o.validName(i+1)))
			i++
		case o.class(i) == word:
			last, at = o.validName(i), i
		case o.is(i, "$"), o.class(i) >= outerDoc:
		default:
			if last != "" {
				finish(named(path, last, ""))
			}
			return leaves, i
		}
	}
	return leaves, i
}

// clip truncates an overlong path so that it still exceeds maxPath.
func clip(path string) string { return path[:min(len(path), maxPath+1)] }

func (o *outline) validName(i int) string { return toValid(o.name(i)) }

func named(path, name, as string) leaf {
	if name == "self" && path != "" {
		path, name = splitLast(path)
	}
	if as == name {
		as = ""
	}
	return leaf{path: path, name: name, as: as}
}

// use reads a use declaration; a visible one re-exports its names.
func (o *outline) use(it *item, i int) int {
	leaves, end := o.useTree(i + 1)
	if !o.is(end, ";") {
		o.problem.Report(int32(o.toks[i].line), "expected ';'")
		return max(end, i+1)
	}
	it.end = end + 1
	if it.rest == it.first {
		return it.end
	}
	for _, l := range leaves {
		if !l.glob && l.local() != "_" {
			o.reexport(it, l)
		}
	}
	return it.end
}

func (o *outline) reexport(it *item, l leaf) {
	passed := *it
	passed.kind, passed.form, passed.label = source.Reexport, using, l.at
	passed.name, passed.ref = it.scope.prefix+l.local(), l.local()
	passed.path = l.full()
	o.items = append(o.items, &passed)
}

func (o *outline) externCrate(it *item, i int) int {
	end := o.to(";", i+2, it.scope.end)
	it.end = min(end+1, it.scope.end)
	if l := o.crateLeaf(i); it.rest > it.first && l.name != "" {
		o.reexport(it, l)
	}
	return it.end
}

func (o *outline) crateLeaf(i int) leaf {
	l := leaf{name: o.validName(i + 2), at: i + 2}
	if o.is(i+3, "as") {
		l.as = o.validName(i + 4)
	}
	return l
}
