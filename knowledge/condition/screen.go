package condition

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser/lexer"
)

// maxNesting limits open parentheses and stacked nots. The parser recurses on both.
const maxNesting = 100

var operators = map[string]bool{
	"or": true, "and": true, "not": true, "||": true, "&&": true, "!": true, ",": true,
	"<": true, "<=": true, ">": true, ">=": true, "==": true, "!=": true,
}

// screen rejects unsupported syntax with its place, and limits nesting, which the parser does not.
func (v *Vocabulary) screen(text string) error {
	tokens, err := lexer.Lex(file.NewSource(text))
	if err != nil {
		var fault *file.Error
		if errors.As(err, &fault) {
			return errorAt(text, fault.From, fault.Message)
		}
		return &SyntaxError{Line: 1, Column: 1, Message: err.Error()}
	}
	if len(tokens) == 0 || tokens[0].Kind == lexer.EOF {
		return &SyntaxError{Line: 1, Column: 1, Message: "the condition is empty"}
	}
	var depth nesting
	for _, token := range tokens {
		if message := v.refuse(token); message != "" {
			return errorAt(text, token.From, message)
		}
		if !depth.follow(token) {
			return errorAt(text, token.From, fmt.Sprintf("nested deeper than %d", maxNesting))
		}
	}
	return refuseComments(text, tokens)
}

func (v *Vocabulary) refuse(token lexer.Token) string {
	switch token.Kind {
	case lexer.String, lexer.Number, lexer.EOF:
		return ""
	case lexer.Identifier:
		if v.words[token.Value] != nil {
			return ""
		}
		return fmt.Sprintf("unknown word %q", token.Value)
	case lexer.Bracket:
		if token.Value == "(" || token.Value == ")" {
			return ""
		}
	case lexer.Operator:
		if operators[token.Value] {
			return ""
		}
	}
	return fmt.Sprintf("%q has no place in a condition", token.Value)
}

// nesting counts open parentheses and nots. A not ends with its operand.
type nesting struct {
	total   int
	pending int   // nots whose operand has not begun
	opened  []int // per open parenthesis: itself and the nots before it
}

func (n *nesting) follow(token lexer.Token) bool {
	switch token.Value {
	case "not", "!":
		if token.Kind != lexer.Operator {
			return true
		}
		n.total++
		n.pending++
	case "(":
		if token.Kind != lexer.Bracket {
			return true
		}
		n.total++
		n.opened = append(n.opened, n.pending+1)
		n.pending = 0
	case ")":
		if token.Kind != lexer.Bracket || len(n.opened) == 0 {
			return true
		}
		last := len(n.opened) - 1
		n.total -= n.opened[last]
		n.opened = n.opened[:last]
	}
	return n.total <= maxNesting
}

// refuseComments rejects comments, which the lexer skips and the canonical form would lose.
func refuseComments(text string, tokens []lexer.Token) error {
	if !strings.Contains(text, "//") && !strings.Contains(text, "/*") {
		return nil
	}
	characters := []rune(text)
	end := 0
	for _, token := range tokens {
		for ; end < token.From && end < len(characters); end++ {
			if characters[end] == '/' {
				return errorAt(text, end, "a comment has no place in a condition")
			}
		}
		end = max(end, token.To)
	}
	return nil
}
