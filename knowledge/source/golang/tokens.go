package golang

import (
	"bytes"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// tokens writes a file's tokens as digest input, without white space, comments and tokens that only depend on
// formatting (inserted semicolons, trailing commas). Equivalent spellings of a program must give the same output.
type tokens struct {
	src     []byte
	pos     int
	parts   []byte // framed like a source.Hasher
	pending string // "," or ";" that is written once another list element follows
}

func (t *tokens) begin(at int) { t.pos, t.pending = at, "" }

func (t *tokens) scan(to int) {
	if t.pos >= to {
		return
	}
	src := t.src[t.pos:to]
	t.pos = to
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.COMMA || tok == token.SEMICOLON:
			t.pending = tok.String()
			continue
		case tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE:
			t.pending = ""
		}
		t.flush()
		switch {
		case tok == token.INC || tok == token.DEC:
			t.add(tok.String())
		case tok.IsOperator():
			t.split(tok.String(), tok.String())
		case tok == token.STRING && text[0] == '`': // the scanner drops carriage returns
			raw := src[file.Offset(pos):]
			t.add(string(raw[:bytes.IndexByte(raw[1:], '`')+2]))
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			t.split(text, ".+-")
		default:
			t.add(text)
		}
	}
}

func (t *tokens) add(text string) { t.parts = source.AppendPart(t.parts, text) }

// split adds a text as several parts: each of the bytes in at is one.
func (t *tokens) split(text, at string) {
	for i := strings.IndexAny(text, at); i >= 0; i = strings.IndexAny(text, at) {
		if i > 0 {
			t.add(text[:i])
		}
		t.add(text[i : i+1])
		text = text[i+1:]
	}
	if text != "" {
		t.add(text)
	}
}

func (t *tokens) flush() {
	if t.pending != "" {
		t.add(t.pending)
		t.pending = ""
	}
}
