package python

import (
	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// walker finds names used but not bound by the code. It walks logical lines after the outline is complete. Python
// binds a name for the whole scope, so the walker collects uses and sifts them at the scope's end.
type walker struct {
	*reader
	words kernel.Words

	uses   []use
	loose  []loose // selections from values of unknown type
	binds  []bound // bindings of the open blocks, innermost last
	inner  []bound // bindings of the open comprehensions and lambdas
	typed  []typedName
	bases  []base
	spaces []space
	blocks []block
	nest   []nesting

	serial  int32
	stamps  []int32 // by word: serial of the scope being closed, and its binding of the word
	slots   []int32 // by word: base that replaces it while a scope is closed
	marks   []uint8 // by word: what it is at module level
	places  []int32 // by word: first binding in a class
	symbol  int     // next symbol in source order
	edge    int     // next import in source order
	owner   int32
	effect  int32 // first token at which the statement's bindings take effect
	program bool  // the statement runs only if the file is the main program
	hidden  int   // open scopes beyond maxSpaces
	again   bool  // a name is declared more than once

	mentions source.Mentions
	flow     *course
}

// module owns code outside every symbol.
const module int32 = source.NoOwner

type block struct {
	level     int32
	match     bool   // its lines start cases
	program   bool   // below `if __name__ == "__main__"`
	guard     string // condition on everything in it
	otherwise string // additional condition on its else or elif branches
}

// bodies sets the Body and Guard of all symbols, and returns the references of the rest of the file.
func (x *reader) bodies() []source.Reference {
	whole := len(x.toks)
	w := &x.walker
	w.reader, w.owner, w.bases = x, module, []base{{}}
	w.spaces = []space{{level: -1, symbol: -1, owner: module, receiver: -1, kind: inModule}}
	decorators := -1
	for i := range x.lines {
		l := x.lines[i]
		first, end := int(l.first), int(l.end)
		if x.is(first, end, "@") {
			if decorators < 0 {
				decorators = i
			}
			continue
		}
		ended := w.leaveBlocks(l.level)
		w.leaveSpaces(l.level)
		w.line(i, decorators, ended)
		decorators = -1
	}
	w.leaveSpaces(0)
	out := w.finish()
	x.toks = x.toks[:whole] // drop the tokens of string annotations
	return out
}

// leaveBlocks closes the compound statements that do not contain a line at the given level. It returns the one at that
// level, which the line may continue.
func (w *walker) leaveBlocks(level int32) block {
	var last block
	for len(w.blocks) > 0 && w.blocks[len(w.blocks)-1].level >= level {
		last = w.blocks[len(w.blocks)-1]
		w.blocks = w.blocks[:len(w.blocks)-1]
	}
	if last.level != level {
		return block{}
	}
	return last
}

func (w *walker) block() block {
	if len(w.blocks) == 0 {
		return block{}
	}
	return w.blocks[len(w.blocks)-1]
}

// line reads line i. decorators is its first decorator's line, or -1; ended is the compound statement that its else or
// elif continues.
func (w *walker) line(i, decorators int, ended block) {
	l := w.lines[i]
	first, end := int(l.first), int(l.end)
	if w.toks[first].kind == str && end == first+1 {
		return
	}
	outer := w.block()
	w.program = outer.program && len(w.spaces) == 1
	head := first
	if w.is(head, end, "async") {
		head++
	}
	colon := int(l.colon)
	if colon < 0 {
		colon = end
	}
	w.effect = int32(colon)
	var from int
	switch {
	case l.block:
		from = w.compound(i, decorators, head, colon, ended)
	case outer.match && w.isWord(first, "case") && colon < end:
		w.blocks = append(w.blocks, block{level: l.level, program: outer.program, guard: outer.guard})
		w.pattern(first+1, colon)
		from = colon + 1
	case int(l.colon) == end-1 && end > first+2 && w.isWord(first, "match"):
		w.blocks = append(w.blocks, block{level: l.level, match: true, program: outer.program, guard: outer.guard})
		w.expression(first+1, colon, asValue, noTarget)
		return
	default:
		from = first
	}
	w.program = w.block().program && len(w.spaces) == 1
	w.simpleStatements(l, from, w.statementOf)
}

func (w *walker) isWord(i int, word string) bool { return w.toks[i].kind == name && w.text(i) == word }

// compound reads the header of a compound statement and returns the start of its body.
func (w *walker) compound(i, decorators, head, colon int, ended block) int {
	l, b := w.lines[i], w.block()
	b.level, b.match, b.otherwise = l.level, false, ""
	switch word := w.text(head); word {
	case "def":
		w.define(i, decorators, head, colon)
	case "class":
		w.class(i, decorators, head, colon)
	case "if", "elif", "else":
		w.expression(head+1, colon, asValue, noTarget)
		w.condition(&b, word, head+1, colon, ended)
		b.program = b.program || len(w.spaces) == 1 && w.guardsMain(head, colon)
	case "for":
		w.expression(head+1, colon, asValue, bindTarget)
	case "except":
		w.expression(head+1, colon, asType, noTarget)
	default: // while, with, try, finally
		w.expression(head+1, colon, asValue, noTarget)
		if word == "with" && colon > head+3 && w.isWord(colon-1, w.text(colon-1)) && w.is(colon-2, colon, "as") {
			w.constructed(colon-1, head+1, colon-2) // most context managers return themselves
		}
	}
	w.blocks = append(w.blocks, b)
	return min(colon+1, int(l.end))
}

func (w *walker) statementOf(from, to int) {
	w.effect = int32(to)
	first, last := w.symbolsIn(from, to)
	if first == last {
		w.simpleOne(from, to)
		return
	}
	outer, uses, loose := w.owner, len(w.uses), len(w.loose)
	w.owner = int32(first)
	w.simpleOne(from, to)
	w.owner = outer
	w.share(first, last, uses, loose)
}

func (w *walker) symbolsIn(from, to int) (first, last int) {
	for w.symbol < len(w.at) && int(w.at[w.symbol]) < from {
		w.symbol++
	}
	first = w.symbol
	for w.symbol < len(w.at) && int(w.at[w.symbol]) < to {
		w.setGuard(w.symbol)
		w.symbol++
	}
	return first, w.symbol
}

// maxShared bounds the copies of uses for a statement with several symbols; the last symbols may get none.
const maxShared = 1 << 14

func (w *walker) share(first, last, uses, loose int) {
	allUses, allLoose := len(w.uses), len(w.loose)
	if used := allUses - uses + allLoose - loose; used > 0 {
		last = min(last, first+1+maxShared/used)
	}
	for s := first + 1; s < last; s++ {
		for _, u := range w.uses[uses:allUses] {
			u.owner, u.program = int32(s), false
			w.uses = append(w.uses, u)
		}
		for _, o := range w.loose[loose:allLoose] {
			o.owner, o.program = int32(s), false
			w.loose = append(w.loose, o)
		}
	}
}

func (w *walker) simpleOne(from, to int) {
	switch w.toks[from].kind {
	case imported:
		w.importedNames(from, to)
		w.guardImports(from)
	case keyword:
		switch {
		case w.is(from, to, "global"):
			w.declareOuter(from+1, to, &w.space().globals)
		case w.is(from, to, "nonlocal"):
			w.declareOuter(from+1, to, &w.space().nonlocals)
		case w.is(from, to, "del"):
			w.expression(from+1, to, asValue, deleteTarget)
		default:
			w.expression(from, to, asValue, noTarget)
		}
	default:
		w.assign(from, to)
	}
}

func (w *walker) declareOuter(from, to int, list *[]int32) {
	for i := from; i < to; i++ {
		if w.isName(i, to) {
			*list = append(*list, w.word(i))
		}
	}
}

func (w *walker) importedNames(from, to int) {
	i := from + 1
	names := w.text(from) == "import"
	for !names && i < to && w.text(i) != "import" {
		i++
	}
	if !names {
		i++
	}
	for ; i < to; i++ {
		first := i
		if !identStart[w.src[w.toks[i].start]] {
			continue
		}
		for i+2 < to && w.text(i+1) == "." {
			i += 2
		}
		if i+2 < to && w.text(i+1) == "as" {
			i += 2
			first = i
		}
		w.bindImport(first)
	}
}
