package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// syntaxNode is a node of clang's syntax tree.
type syntaxNode struct {
	Kind, Name, Text   string
	IsImplicit         bool
	CompleteDefinition bool
	Loc                syntaxPlace
	Range              struct{ Begin, End syntaxPlace }
	Inner              []syntaxNode
}

// syntaxPlace is a place in a file. In a macro, ExpansionLoc is the place of the macro call.
type syntaxPlace struct {
	Offset       int
	IncludedFrom *struct{ File string }
	ExpansionLoc struct {
		Offset       int
		IncludedFrom *struct{ File string }
	}
}

func (p syntaxPlace) offset() int { return max(p.Offset, p.ExpansionLoc.Offset) }

var emptyLine = regexp.MustCompile(`\n\s*\n`)

// clangUnit is the syntax tree of a header.
func clangUnit(ctx context.Context, dir, file string, options ...string) (unit syntaxNode, err error) {
	args := append(append(options, included(dir)...), "-fparse-all-comments", "-Xclang", "-ast-dump=json", file)
	text, err := exec.CommandContext(ctx, "clang", args...).Output() //nolint:gosec // the directory is the user's argument
	if err != nil {
		return unit, fmt.Errorf("read the comments of %s with clang: %w", file, err)
	}
	if err := json.Unmarshal(text, &unit); err != nil {
		return unit, fmt.Errorf("parse clang's output for %s: %w", file, err)
	}
	return unit, nil
}

// types are the names of the types and variables that a header declares itself. The constants of an enumeration are part of it.
func (n syntaxNode) types() []string {
	var out []string
	for _, d := range n.Inner {
		if d.Loc.IncludedFrom != nil || d.Loc.ExpansionLoc.IncludedFrom != nil || d.IsImplicit {
			continue
		}
		switch d.Kind {
		case "TypedefDecl", "RecordDecl", "EnumDecl", "VarDecl":
			if opaque := d.Kind == "RecordDecl" && !d.CompleteDefinition; !opaque && d.Name != "" && d.Name[0] != '_' {
				out = append(out, d.Name)
			}
		}
	}
	return out
}

// docs maps functions of a header to their comments, as clang attaches them. clang attaches a section heading to the first function below;
// a comment that an empty line separates from the function is dropped.
func (n syntaxNode) docs(file string) (map[string]string, error) {
	header, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, d := range n.Inner {
		for _, in := range d.Inner {
			from, to := in.Range.End.offset(), d.Range.Begin.offset()
			if d.Kind != "FunctionDecl" || in.Kind != "FullComment" || from < to && to <= len(header) && !marked(header, in.Range.Begin.offset()) && emptyLine.Match(header[from:to]) {
				continue
			}
			out[d.Name] += in.said() + "\n\n"
		}
	}
	return out, nil
}

// marked reports whether the comment that contains an offset begins with two stars, which headings of sections do not.
func marked(header []byte, offset int) bool {
	at := bytes.LastIndex(header[:min(offset+1, len(header))], []byte("/*"))
	return at >= 0 && bytes.HasPrefix(header[at:], []byte("/**")) && !bytes.HasPrefix(header[at:], []byte("/***"))
}

// said returns the text of a comment, with an empty line between paragraphs and around commands.
func (n syntaxNode) said() string {
	var b strings.Builder
	for _, in := range n.Inner {
		if in.Text != "" {
			b.WriteString(in.Text + "\n")
		} else {
			b.WriteString("\n\n" + in.said() + "\n\n")
		}
	}
	return b.String()
}

// headAlike reports whether a declaration of the node has the result and parameter types that the compiler prints.
func headAlike(s *symbol, signature string) bool {
	name := printed.FindStringSubmatch(signature)
	want, ok := headOf(signature, name[1])
	return ok && slices.ContainsFunc(strings.Split(s.Signature, "\n"), func(line string) bool {
		got, ok := headOf(line, name[1])
		return ok && resultAlike(got[0], want[0]) && slices.EqualFunc(got[1:], want[1:], parameterAlike)
	})
}

// headOf splits a declaration into the text before the function name and the parameters. String literals in macros, such as
// DEPRECATED("use other() instead"), are removed.
func headOf(line, name string) ([]string, bool) {
	line = cLiteral.ReplaceAllString(line, "")
	at := regexp.MustCompile(`\b` + name + `\)?\s*\(`).FindStringIndex(line) // some keep a macro away with brackets
	if at == nil {
		return nil, false
	}
	parts, _ := pythonLists.split(line[at[1]:])
	if len(parts) == 1 && parts[0] == "void" {
		parts = nil
	}
	return append([]string{line[:at[0]]}, parts...), true
}

var (
	cToken   = regexp.MustCompile(`\w+|\.\.\.|[^\s\w]`)
	cLiteral = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	cMacro   = regexp.MustCompile(`\b[A-Z][A-Z0-9_]+\b`)
	cStorage = []string{"extern", "static", "inline", "__inline", "__inline__", "register", "restrict", "__restrict", "__restrict__"}
)

// resultAlike compares a result type with the compiler's, ignoring macros.
func resultAlike(got, want string) bool {
	wanted := cType(want)
	return slices.Equal(cType(strings.NewReplacer("(", " ", ")", " ").Replace(withoutMacros(got, wanted))), wanted)
}

// withoutMacros removes macro names, unless they are part of the wanted type.
func withoutMacros(text string, wanted []string) string {
	return cMacro.ReplaceAllStringFunc(text, func(w string) string {
		if slices.Contains(wanted, w) {
			return w
		}
		return ""
	})
}

// parameterAlike reports whether a parameter is of the type that a compiler prints, whether it has a name or not.
func parameterAlike(got, want string) bool {
	wanted := cType(want)
	if got = strings.TrimSpace(withoutMacros(got, wanted)); slices.Equal(cType(got), wanted) {
		return true
	}
	unnamed := cNamed.ReplaceAllString(got, "$1")
	for strings.HasSuffix(got, "]") { // an array is passed by its address
		got = strings.TrimSpace(got[:strings.LastIndexByte(got, '[')])
		unnamed = cNamed.ReplaceAllString(got, "$1") + "*"
	}
	return slices.Equal(cType(unnamed), wanted) || slices.Equal(cType(cPointerName.ReplaceAllString(got, "(*)(")), wanted)
}

var (
	cNamed = regexp.MustCompile(`^(.*[\s*])\w+$`)
	// asPrinted maps compiler-internal names to standard ones.
	asPrinted = strings.NewReplacer("__va_list_tag *", "va_list", "_Bool", "bool")
	// functionPointer matches how a pointer to a type that is a function is printed.
	functionPointer = regexp.MustCompile(`\(\*\)?$`)
	cPointerName    = regexp.MustCompile(`\(\s*\*\s*\w+\s*\)\s*\(`)
)

// cType returns the words of a type, sorted up to the first star, without qualifiers that do not matter to a caller.
func cType(text string) []string {
	text = asPrinted.Replace(functionPointer.ReplaceAllString(text, "*"))
	words := slices.DeleteFunc(cToken.FindAllString(text, -1), func(w string) bool { return slices.Contains(cStorage, w) })
	star := slices.Index(words, "*")
	if star < 0 {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "const" })
		star = len(words)
	} else if last := len(words) - 1; words[last] == "const" {
		words = words[:last]
	}
	if star = min(star, len(words)); slices.ContainsFunc(words[:star], func(w string) bool { return w == "unsigned" || w == "long" || w == "short" }) {
		if i := slices.Index(words[:star], "int"); i >= 0 {
			words = slices.Delete(words, i, i+1)
			star--
		}
	}
	slices.Sort(words[:star])
	return words
}
