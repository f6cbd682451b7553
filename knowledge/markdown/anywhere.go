package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
)

// anywhere lets a block begin at any indentation, for comments in which four spaces do not make code. The following
// lines are dedented by the same amount.
type anywhere struct{ parser.BlockParser }

func (anywhere) CanAcceptIndentedLine() bool { return true }

// most is the largest indentation that the parser accepts itself.
const most = 3

var margin = []byte("margin")

func (a anywhere) Open(parent ast.Node, text gmtext.Reader, context parser.Context) (ast.Node, parser.State) {
	in := blanks(text)
	if in <= most {
		return a.BlockParser.Open(parent, text, context)
	}
	line, position := text.Position()
	offset := context.BlockOffset()
	text.Advance(in)
	context.SetBlockOffset(0)
	n, state := a.BlockParser.Open(parent, text, context)
	if n != nil {
		n.SetAttribute(margin, in)
		return n, state
	}
	context.SetBlockOffset(offset)
	text.SetPosition(line, position)
	text.Advance(0) // clear the cached line
	return nil, state
}

func (a anywhere) Continue(n ast.Node, text gmtext.Reader, context parser.Context) parser.State {
	if in, ok := n.Attribute(margin); ok {
		text.Advance(min(in.(int), blanks(text)))
	}
	return a.BlockParser.Continue(n, text, context)
}

// blanks returns the indentation of the rest of the line.
func blanks(text gmtext.Reader) int {
	line, _ := text.PeekLine()
	return len(line) - len(bytes.TrimLeft(line, " "))
}
