package skill

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	exprparser "github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/causaldocs/causal/knowledge/state"
)

// Expression is a condition over values. It cannot loop, and evaluates in linear time.
type Expression struct {
	program *vm.Program
	// Refs are its references to the state or the item, sorted.
	Refs []string
}

// ItemName is the name of the item in an expression over the items of a list.
const ItemName = "item"

// StateNames are the names that an expression over the state has.
var StateNames = []string{"inputs", "vars", "outputs", "frame", "working", "output", "extensions"}

var functions = []string{"len", "lower", "upper", "trim", "int", "float", "string", "hasPrefix", "hasSuffix", "abs", "ceil", "floor", "round"}

// Compile compiles a boolean expression over the given names.
func Compile(text string, over ...string) (*Expression, error) {
	if len(text) > mostText {
		return nil, fmt.Errorf("the expression has more than %d bytes", mostText)
	}
	tree, err := exprparser.Parse(text)
	if err != nil {
		return nil, oneLine(err)
	}
	s := &screen{over: over, refs: map[string]bool{}}
	ast.Walk(&tree.Node, s)
	if s.err != nil {
		return nil, s.err
	}
	env := map[string]any{}
	for _, name := range over {
		env[name] = map[string]any{}
	}
	options := []expr.Option{expr.Env(env), expr.AllowUndefinedVariables(), expr.AsBool(), expr.DisableAllBuiltins()}
	for _, f := range functions {
		options = append(options, expr.EnableBuiltin(f))
	}
	program, err := expr.Compile(text, options...)
	if err != nil {
		return nil, oneLine(err)
	}
	return &Expression{program, slices.Sorted(maps.Keys(s.refs))}, nil
}

func oneLine(err error) error {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(text)
}

// Holds evaluates the expression.
func (e *Expression) Holds(values map[string]any) (bool, error) {
	out, err := expr.Run(e.program, values)
	if err != nil {
		return false, oneLine(err)
	}
	holds, _ := out.(bool)
	return holds, nil
}

type screen struct {
	over []string
	refs map[string]bool
	err  error
}

// Visit implements ast.Visitor.
func (s *screen) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode, *ast.ConstantNode, *ast.UnaryNode, *ast.ChainNode,
		*ast.ConditionalNode, *ast.ArrayNode, *ast.SliceNode:
	case *ast.IdentifierNode:
		if !slices.Contains(s.over, n.Value) && !slices.Contains(functions, n.Value) {
			s.refuse("unknown name %q; the names are %s", n.Value, strings.Join(s.over, ", "))
		}
	case *ast.MemberNode:
		if ref, ok := chain(n); ok {
			if _, _, is := state.ParseRef(ref); is || strings.HasPrefix(ref, ItemName+".") {
				s.longest(ref)
			}
		}
	case *ast.BinaryNode:
		if n.Operator == ".." {
			s.refuse("ranges are not allowed")
		}
	case *ast.BuiltinNode:
		if !slices.Contains(functions, n.Name) {
			s.refuse("the function %q is not allowed; the functions are %s", n.Name, strings.Join(functions, ", "))
		}
	case *ast.CallNode:
		if id, ok := n.Callee.(*ast.IdentifierNode); !ok || !slices.Contains(functions, id.Value) {
			s.refuse("only these functions are allowed: %s", strings.Join(functions, ", "))
		}
	case *ast.PredicateNode, *ast.PointerNode:
		s.refuse("functions that loop, such as all and filter, are not allowed")
	default:
		s.refuse("this form is not allowed in an expression")
	}
}

func (s *screen) refuse(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

func (s *screen) longest(ref string) {
	for other := range s.refs {
		if strings.HasPrefix(ref, other+".") {
			delete(s.refs, other)
		}
	}
	s.refs[ref] = true
}

func chain(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.IdentifierNode:
		return n.Value, true
	case *ast.ChainNode:
		return chain(n.Node)
	case *ast.MemberNode:
		before, ok := chain(n.Node)
		if !ok {
			return "", false
		}
		switch key := n.Property.(type) {
		case *ast.StringNode:
			return before + "." + key.Value, true
		case *ast.IntegerNode:
			return fmt.Sprintf("%s.%d", before, key.Value), true
		}
	}
	return "", false
}
