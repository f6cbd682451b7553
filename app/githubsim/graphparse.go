package githubsim

import (
	"errors"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// readOperation parses a document with a single operation. Named fragments are not supported.
func readOperation(text string) (*ast.OperationDefinition, error) {
	document, err := parser.ParseQuery(&ast.Source{Name: "query", Input: text})
	if err != nil {
		return nil, fmt.Errorf("parse error: %w", err)
	}
	if len(document.Operations) != 1 || len(document.Fragments) > 0 || len(fieldsOf(document.Operations[0].SelectionSet)) == 0 {
		return nil, errors.New("parse error: one operation was expected")
	}
	return document.Operations[0], nil
}

func (g *graphCall) mutates() bool {
	return g.operation != nil && g.operation.Operation == ast.Mutation
}

// fieldsOf lists the fields of a selection, including its inline fragments. A named fragment spread is returned as a
// field that does not exist.
func fieldsOf(selection ast.SelectionSet) []*ast.Field {
	var out []*ast.Field
	for _, each := range selection {
		switch each := each.(type) {
		case *ast.Field:
			out = append(out, each)
		case *ast.InlineFragment:
			out = append(out, fieldsOf(each.SelectionSet)...)
		case *ast.FragmentSpread:
			out = append(out, &ast.Field{Alias: each.Name, Name: "..." + each.Name})
		}
	}
	return out
}
