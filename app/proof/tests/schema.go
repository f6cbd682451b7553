package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Names for selecting a mutant at run time.
const (
	chooserFile = "zz_proof_mutant.go"
	chosenVar   = "CAUSAL_PROOF_MUTANT"
	chooserCode = `package %s

import (
	"os"
	"strconv"
)

// zzMutant is the mistake that is made in this process.
var zzMutant = func() int {
	n, _ := strconv.Atoi(os.Getenv("` + chosenVar + `"))
	return n
}()
`
)

// numbered is a mutant under the number that it is chosen by, from 1.
type numbered struct {
	mutant
	number int
}

// schema returns a file that contains all of its mutants: each is a copy of the function, and the function calls the selected copy. So a
// package is built once for all mutants.
func schema(src []byte, list []numbered) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	w := &schemaWriter{src: src, in: fset.File(f.FileStart)}
	at := 0
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Body == nil {
			continue
		}
		var within []numbered
		for _, m := range list {
			if w.offset(d.Body.Lbrace) < m.start && m.end <= w.offset(d.Body.Rbrace) {
				within = append(within, m)
			}
		}
		if len(within) == 0 {
			continue
		}
		w.main.Write(src[at:w.offset(d.Pos())])
		w.function(d, within)
		at = w.offset(d.Body.Lbrace) + 1
	}
	w.main.Write(src[at:])
	return []byte(w.main.String() + "\n" + w.copies.String()), nil
}

type schemaWriter struct {
	src          []byte
	in           *token.File
	main, copies strings.Builder
}

func (w *schemaWriter) offset(p token.Pos) int { return w.in.Offset(p) }

func (w *schemaWriter) text(n ast.Node) string {
	return string(w.src[w.offset(n.Pos()):w.offset(n.End())])
}

// function writes the beginning of a function, up to where its own body goes on, and its copies.
func (w *schemaWriter) function(d *ast.FuncDecl, list []numbered) {
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	params, passed := w.named(d.Type.Params, "zzP")
	recv, call := "", d.Name.Name
	types, results := "", ""
	if d.Recv != nil {
		var of []string
		recv, of = w.named(d.Recv, "zzR")
		recv, call = recv+" ", of[0]+"."+d.Name.Name
	}
	instance := ""
	if d.Type.TypeParams != nil {
		types = w.text(d.Type.TypeParams)
		instance = "[" + strings.Join(fieldNames(d.Type.TypeParams), ", ") + "]"
	}
	if d.Type.Results != nil {
		results = " " + w.text(d.Type.Results)
	}
	fmt.Fprintf(&w.main, "func %s%s%s%s%s { switch zzMutant { ", recv, d.Name.Name, types, params, results)
	for _, m := range list {
		name := fmt.Sprintf("%s__%d", d.Name.Name, m.number)
		made := fmt.Sprintf("%s__%d%s(%s)", call, m.number, instance, strings.Join(passed, ", "))
		if d.Type.Results != nil {
			fmt.Fprintf(&w.main, "case %d: return %s; ", m.number, made)
		} else {
			fmt.Fprintf(&w.main, "case %d: %s; return; ", m.number, made)
		}
		m.start, m.end = m.start-w.offset(d.Body.Pos()), m.end-w.offset(d.Body.Pos())
		fmt.Fprintf(&w.copies, "\nfunc %s%s%s%s%s %s\n", recv, name, types, params, results, m.apply([]byte(w.text(d.Body))))
	}
	w.main.WriteString("};")
}

// named writes parameters with a name each, and lists the arguments that pass them on.
func (w *schemaWriter) named(list *ast.FieldList, prefix string) (text string, passed []string) {
	var fields []string
	add := func(name string, f *ast.Field) {
		if name == "" || name == "_" {
			name = fmt.Sprintf("%s%d", prefix, len(fields))
		}
		fields = append(fields, name+" "+w.text(f.Type))
		if _, variadic := f.Type.(*ast.Ellipsis); variadic {
			name += "..."
		}
		passed = append(passed, name)
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			add(n.Name, f)
		}
		if len(f.Names) == 0 {
			add("", f)
		}
	}
	return "(" + strings.Join(fields, ", ") + ")", passed
}

func fieldNames(list *ast.FieldList) (out []string) {
	for _, f := range list.List {
		for _, n := range f.Names {
			out = append(out, n.Name)
		}
	}
	return out
}
