// Command api compares the API in nodes with the public names according to the tools of each language: go/doc, Python's inspect on the
// imported package, the TypeScript compiler or node on the published package, javap on compiled classes, rustdoc, and gcc on headers. Each
// library is a repository after `causal update`:
//
//	go -C app/proof run ./api go:chi python:click ...
//
// Recall is the share of the tool's names that a node has. Precision is the share of the nodes' symbols, of the kinds that the tool knows,
// that the tool confirms. The command also compares signatures and documentation: from clang for C, from the compilers of Java and
// TypeScript, from the TypeScript parser for JavaScript, and from rustdoc.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/render/node"
)

// account is the description of a library by a tool.
type account struct {
	public map[string]bool // by the names that callers type
	// tells reports whether the tool would list the symbol if it were public.
	tells func(s *symbol) bool
	// told holds details of symbols. alike compares the signature of a node with the tool's.
	told  map[string]telling
	alike func(s *symbol, signature string) bool
}

// symbol is a symbol of a node, with the directory of the node.
type symbol struct {
	node.Symbol
	dir string
}

// tools give an account of the library in a directory.
var tools = map[string]func(ctx context.Context, dir string) (account, error){
	"go": goDoc, "python": pythonInspect, "javascript": nodeExports, "rust": rustdoc, "java": javap, "c": gccPrototypes,
}

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, libraries []string, out io.Writer) error {
	for _, l := range libraries {
		language, dir, _ := strings.Cut(l, ":")
		ask, ok := tools[language]
		if !ok {
			return fmt.Errorf("%q: want LANGUAGE:DIRECTORY, with a language of %s", l, strings.Join(slices.Sorted(maps.Keys(tools)), ", "))
		}
		told, err := ask(ctx, dir)
		if err != nil {
			return fmt.Errorf("list the public names of %s: %w", dir, err)
		}
		symbols, err := shown(dir)
		if err != nil {
			return fmt.Errorf("read the nodes of %s: %w", dir, err)
		}
		pages, err := pagesOf(dir)
		if err != nil {
			return fmt.Errorf("read the pages of %s: %w", dir, err)
		}
		fmt.Fprint(out, compare(language+" "+filepath.Base(dir), told, symbols)+complete(told, symbols, pages))
	}
	return nil
}

// shown lists the symbols of all nodes that callers reach.
func shown(dir string) ([]symbol, error) {
	nodes, err := clones.Nodes(dir)
	var out []symbol
	for _, n := range nodes {
		for _, s := range n.PublicAPI {
			if len(s.As) > 0 {
				out = append(out, symbol{s, n.Path})
			}
		}
	}
	return out, err
}

// compare formats recall and precision.
func compare(name string, told account, symbols []symbol) string {
	public := told.public
	known := map[string]bool{}
	var extra []string
	right, judged := 0, 0
	for i := range symbols {
		s := &symbols[i]
		for _, as := range s.As {
			known[as] = true
		}
		if !told.tells(s) {
			continue
		}
		judged++
		if slices.ContainsFunc(s.As, func(as string) bool { return public[as] }) {
			right++
		} else {
			extra = append(extra, s.As[0])
		}
	}
	var missed []string
	for p := range public {
		if !known[p] {
			missed = append(missed, p)
		}
	}
	return fmt.Sprintf("%s: recall %s, precision %s\n%s%s", name, share(len(public)-len(missed), len(public)), share(right, judged),
		few("missed", missed), few("not public", extra))
}

func share(part, all int) string {
	if all == 0 {
		return "of nothing"
	}
	return fmt.Sprintf("%.3f (%d of %d)", float64(part)/float64(all), part, all)
}

// mostNamed is the greatest number of printed names.
const mostNamed = 24

func few(what string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	more := ""
	if len(names) > mostNamed {
		names, more = names[:mostNamed], " …"
	}
	return "  " + what + ": " + strings.Join(names, " ") + more + "\n"
}
