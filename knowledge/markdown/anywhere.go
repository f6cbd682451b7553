package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	gmtext "github.com/yuin/goldmark/text"
)

// anywhere lets a block begin however far it stands in, as people write in comments where four spaces make no code. The
// lines that follow are read as if they stood in by as much less.
type anywhere struct{ parser.BlockParser }

// CanAcceptIndentedLine implements parser.BlockParser.
func (anywhere) CanAcceptIndentedLine() bool { return true }

// most is how far a block may stand in by itself.
const most = 3

var margin = []byte("margin")

// Open implements parser.BlockParser.
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
	text.Advance(0) // forget the line that was looked at from elsewhere
	return nil, state
}

// Continue implements parser.BlockParser.
func (a anywhere) Continue(n ast.Node, text gmtext.Reader, context parser.Context) parser.State {
	if in, ok := n.Attribute(margin); ok {
		text.Advance(min(in.(int), blanks(text)))
	}
	return a.BlockParser.Continue(n, text, context)
}

// blanks is how far the rest of the line stands in.
func blanks(text gmtext.Reader) int {
	line, _ := text.PeekLine()
	return len(line) - len(bytes.TrimLeft(line, " "))
}
