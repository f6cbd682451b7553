// Command api compares the API that nodes show with what the tools of each language call public: go/doc, Python's inspect on the
// imported package, the TypeScript compiler or node on the package as it is published, javap on compiled classes, rustdoc, and gcc
// on the headers. Each library is a repository in which `causal update` has run:
//
//	go -C app/proof run ./api go:chi python:click ...
//
// Recall is the share of what the tool names that a node shows under that name; precision the share of what nodes show, of the kinds
// that the tool tells, that it names. It is compared as well whether nodes have the signatures of functions, as far as the tool tells
// them, and pages the whole documentation. What is said of functions of C clang tells, of Java the compiler, of JavaScript and TypeScript
// the parser and the compiler of TypeScript, of Rust rustdoc.
package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/render/node"
)

// account is what a tool tells of a library.
type account struct {
	public map[string]bool // by the names that callers type
	// tells reports whether the tool would name a symbol if it were public.
	tells func(s *symbol) bool
	// told is what the tool tells of symbols beside their names; alike reports whether the signature of a node says the same.
	told  map[string]telling
	alike func(s *symbol, signature string) bool
}

// symbol is one that a node shows, with the directory of that node.
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
			return fmt.Errorf("ask what is public in %s: %w", dir, err)
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
	var out []symbol
	err := filepath.WalkDir(filepath.Join(dir, ".causal", "nodes"), func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(file) //nolint:gosec // nobody else writes there
		if err != nil {
			return err
		}
		n, err := node.Decode(data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, s := range n.PublicAPI {
			if len(s.As) > 0 {
				out = append(out, symbol{s, n.Path})
			}
		}
		return nil
	})
	return out, err
}

// compare tells how far two accounts of an API agree.
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

// mostNamed is how many names are printed of what differs.
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
