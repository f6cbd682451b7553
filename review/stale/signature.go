package stale

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// parameter is one of a function: its name, and what else is said of it.
type parameter struct{ name, rest string }

// signature are the parameters of a function, and whether callers may give it others by name.
type signature struct {
	list []parameter
	open bool
}

func (s signature) has(name string) bool {
	return slices.ContainsFunc(s.list, func(p parameter) bool { return p.name == name })
}

// longestSignature is how long a signature is that is taken apart: people write a tenth.
const longestSignature = 16 << 10

// signatureOf takes the signature of a symbol apart; false where it is none of a function, or of several.
func signatureOf(language string, s *source.Symbol) (signature, bool) {
	text := s.Signature
	for strings.HasPrefix(text, "@") || strings.HasPrefix(text, "#[") {
		_, text, _ = strings.Cut(text, "\n")
	}
	switch {
	case s.Kind != source.Func && s.Kind != source.Method || len(text) > longestSignature:
		return signature{}, false
	case language == "go":
		return goSignature(text)
	}
	own := last(s.Name)
	at := wordAt(text, own, 0)
	if at < 0 {
		return signature{}, false
	}
	open := strings.IndexByte(text[at:], '(')
	if open < 0 || wordAt(text[at+open:], "def", 0) >= 0 || wordAt(text[at+open:], "function", 0) >= 0 { // overloads
		return signature{}, false
	}
	pieces, ok := commaSeparated(language, text[at+open+1:])
	var out signature
	for _, piece := range pieces {
		if strings.HasPrefix(piece, "**") || strings.HasPrefix(piece, "...") || piece == "..." {
			out.open = true
		}
		if p, is := parameterOf(language, piece); is {
			out.list = append(out.list, p)
		}
	}
	return out, ok
}

func goSignature(text string) (signature, bool) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", "package p\n"+text, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return signature{}, false
	}
	d, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok {
		return signature{}, false
	}
	var out signature
	for _, field := range d.Type.Params.List {
		var of strings.Builder
		_ = printer.Fprint(&of, files, field.Type)
		for _, name := range field.Names {
			out.list = append(out.list, parameter{name.Name, of.String()})
		}
	}
	for _, list := range []*ast.FieldList{d.Recv, d.Type.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names { // a comment may speak of these as well, and they have their places behind all others
				out.list = append(out.list, parameter{name.Name, "result"})
			}
		}
	}
	return out, true
}

// commaSeparated returns what stands between commas up to the bracket that closes the list; false when none does.
func commaSeparated(language, text string) (pieces []string, closed bool) {
	depth, start := 0, 0
	take := func(end int) {
		if piece := strings.TrimSpace(text[start:end]); piece != "" {
			pieces = append(pieces, piece)
		}
		start = end + 1
	}
	for at := 0; at < len(text); at++ {
		switch c := text[at]; c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			if c == '>' && at > 0 && (text[at-1] == '=' || text[at-1] == '-') { // => and ->
				continue
			}
			if depth == 0 {
				take(at)
				return pieces, c == ')'
			}
			depth--
		case '"', '\'', '`':
			end := strings.IndexByte(text[at+1:], c)
			if end < 0 || c == '\'' && language == "rust" { // a lifetime
				continue
			}
			at += end + 1
		case ',':
			if depth == 0 {
				take(at)
			}
		}
	}
	return nil, false
}

// unnamed are words that stand for a receiver, and not for a parameter.
var unnamed = []string{"self", "cls", "this", "_", ""}

// parameterOf tells the name of a parameter; false of what has none.
func parameterOf(language, piece string) (parameter, bool) {
	var name, rest string
	switch language {
	case "java", "c", "c++", "cpp":
		declared, _, _ := strings.Cut(piece, "=")
		declared = strings.TrimRight(declared, " ")
		for strings.HasSuffix(declared, "]") && strings.IndexByte(declared, '[') > 0 {
			declared = strings.TrimRight(declared[:strings.LastIndexByte(declared, '[')], " ")
		}
		at := len(declared)
		for at > 0 && isWord(declared[at-1]) {
			at--
		}
		name, rest = declared[at:], declared[:at]
		if strings.TrimSpace(rest) == "" { // a type alone
			return parameter{}, false
		}
	default:
		text := strings.TrimLeft(piece, "*. &")
		for _, modifier := range []string{"public ", "private ", "protected ", "readonly ", "override ", "mut "} {
			text = strings.TrimPrefix(text, modifier)
		}
		end := 0
		for end < len(text) && (isWord(text[end]) || text[end] == '$') {
			end++
		}
		name, rest = text[:end], piece[:len(piece)-len(text)]+strings.TrimSpace(text[end:])
	}
	return parameter{name, rest}, !slices.Contains(unnamed, name)
}
