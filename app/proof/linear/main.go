// Command linear checks that every reader of untrusted text needs time and memory proportional to its length. It repeats each token of a
// grammar, and each pair, and compares the costs of two lengths: the executed basic blocks of this module and of the parsing libraries,
// and the allocated bytes. Both are the same on every machine. A generous bound of processor time covers code without counters, such as
// the standard library.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	var p plan
	flag.Func("only", "comma-separated `names` of readers; all by default", func(s string) error {
		p.readers = strings.Split(s, ",")
		return nil
	})
	flag.IntVar(&p.pairs, "pairs", 0, "also read every `n`th text of two tokens; 1 for all, 0 for none")
	flag.IntVar(&p.offset, "offset", 0, "begin with this `one`")
	flag.BoolVar(&p.everywhere, "everywhere", false, "also wrap texts in functions, classes and sections")
	flag.IntVar(&p.size, "size", 8<<10, "size of the shorter text in `bytes`")
	child := flag.Bool("measure", false, "read trials from standard input; for the child processes")
	flag.Parse()
	if err := run(*child, p); err != nil {
		fmt.Fprintln(os.Stderr, "linear:", err)
		os.Exit(1)
	}
}

func run(child bool, p plan) error {
	if child {
		return measure(os.Stdin, os.Stdout)
	}
	return p.hold(context.Background(), os.Stdout)
}
