package condition

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
)

// SyntaxError is an error in the text of a condition. Line and Column count from 1, in characters.
type SyntaxError struct {
	Line, Column int
	Message      string
	allowed      string
}

// Error returns the place, the error and the allowed words.
func (e *SyntaxError) Error() string {
	place := fmt.Sprintf("column %d", e.Column)
	if e.Line > 1 {
		place = fmt.Sprintf("line %d, %s", e.Line, place)
	}
	return place + ": " + e.Message + " (allowed: " + e.allowed + ")"
}

// Parse parses a condition over the vocabulary. Its error is a *SyntaxError.
func (v *Vocabulary) Parse(text string) (Condition, error) {
	c, err := v.parse(text)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		syntax.allowed = v.allowed
	}
	return c, err
}

func (v *Vocabulary) parse(text string) (Condition, error) {
	if !utf8.ValidString(text) {
		return Condition{}, &SyntaxError{Line: 1, Column: 1, Message: "the condition is not valid UTF-8"}
	}
	if err := v.screen(text); err != nil {
		return Condition{}, err
	}
	// The zero Config does not limit the number of nodes, because screen has limited their depth.
	tree, err := parser.ParseWithConfig(text, &conf.Config{})
	if err != nil {
		return Condition{}, grammarError(text, err)
	}
	root, err := v.convert(tree.Node)
	if err != nil {
		return Condition{}, located(text, err)
	}
	return Condition{root: &root}, nil
}

func grammarError(text string, err error) error {
	var fault *file.Error
	if !errors.As(err, &fault) {
		return &SyntaxError{Line: 1, Column: 1, Message: err.Error()}
	}
	message := strings.Replace(fault.Message, "unexpected token EOF", "unexpected end", 1)
	return errorAt(text, fault.From, message)
}

type fault struct {
	offset  int
	message string
}

func (f *fault) Error() string { return f.message }

func faultAt(n ast.Node, format string, args ...any) error {
	return &fault{n.Location().From, fmt.Sprintf(format, args...)}
}

func located(text string, err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	return errorAt(text, f.offset, f.message)
}

func errorAt(text string, offset int, message string) error {
	line, column := 1, 1
	for _, r := range text {
		if offset <= 0 {
			break
		}
		offset--
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return &SyntaxError{Line: line, Column: column, Message: message}
}

var junctions = map[string]operator{"or": opOr, "||": opOr, "and": opAnd, "&&": opAnd}

// convert converts expr's tree. screen bounds the recursion, and chains of one operator are followed in a loop.
func (v *Vocabulary) convert(n ast.Node) (node, error) {
	switch n := n.(type) {
	case *ast.BinaryNode:
		if op, ok := junctions[n.Operator]; ok {
			return v.convertJunction(n, op)
		}
		return v.convertComparison(n)
	case *ast.UnaryNode:
		child, err := v.convert(n.Node)
		if err != nil {
			return node{}, err
		}
		return node{op: opNot, children: []node{child}}, nil
	case *ast.CallNode:
		t, err := v.convertCall(n)
		if err != nil {
			return node{}, err
		}
		if t.word.Numeric {
			return node{}, faultAt(n, "%s is a number: compare it, as in %s", t.word.Name, t.word.usage())
		}
		t.spell()
		return node{op: opCall, term: t}, nil
	case *ast.IdentifierNode:
		return node{}, faultAt(n, "%s is not called: write %s", n.Value, v.words[n.Value].usage())
	default:
		return node{}, faultAt(n, "a literal alone is not a condition")
	}
}

func (v *Vocabulary) convertJunction(n *ast.BinaryNode, op operator) (node, error) {
	var operands []ast.Node
	var left ast.Node = n
	for {
		b, ok := left.(*ast.BinaryNode)
		if !ok || junctions[b.Operator] != op {
			break
		}
		operands = append(operands, b.Right)
		left = b.Left
	}
	operands = append(operands, left)
	slices.Reverse(operands)
	joined := node{op: op, children: make([]node, 0, len(operands))}
	for _, operand := range operands {
		child, err := v.convert(operand)
		if err != nil {
			return node{}, err
		}
		if child.op == op {
			joined.children = append(joined.children, child.children...)
			continue
		}
		joined.children = append(joined.children, child)
	}
	return joined, nil
}

func (v *Vocabulary) convertComparison(n *ast.BinaryNode) (node, error) {
	callNode, ok := n.Left.(*ast.CallNode)
	if !ok {
		return node{}, faultAt(n.Left, "left of %s there must be a word that is a number; to negate a comparison, put it in parentheses", n.Operator)
	}
	t, err := v.convertCall(callNode)
	if err != nil {
		return node{}, err
	}
	if !t.word.Numeric {
		return node{}, faultAt(n, "%s is true or false: it cannot be compared", t.word.Name)
	}
	switch limit := n.Right.(type) {
	case *ast.IntegerNode:
		t.number = float64(limit.Value)
	case *ast.FloatNode:
		t.number = limit.Value
	default:
		return node{}, faultAt(n.Right, "%s must be compared with a number literal", t.word.Name)
	}
	t.comparison = comparisons[n.Operator]
	t.spell()
	return node{op: opCompare, term: t}, nil
}

func (v *Vocabulary) convertCall(n *ast.CallNode) (*term, error) {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return nil, faultAt(n, "only the words of the vocabulary can be called")
	}
	t := &term{word: v.words[callee.Value]}
	if len(n.Arguments) != len(t.word.Params) {
		return nil, faultAt(n, "%s takes %d arguments, not %d: write %s",
			t.word.Name, len(t.word.Params), len(n.Arguments), t.word.usage())
	}
	for _, arg := range n.Arguments {
		s, ok := arg.(*ast.StringNode)
		if !ok {
			return nil, faultAt(arg, "the arguments of %s must be string literals", t.word.Name)
		}
		if !utf8.ValidString(s.Value) {
			return nil, faultAt(arg, "the string is not valid UTF-8")
		}
		t.args = append(t.args, s.Value)
	}
	if len(t.args) == 0 || t.word.Params[0] != GlobParam {
		return t, nil
	}
	glob, err := ParseGlob(t.args[0])
	if err != nil {
		return nil, faultAt(n.Arguments[0], "%v", err)
	}
	t.glob = glob
	return t, nil
}
