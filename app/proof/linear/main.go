// Command linear holds every reader of outside text to time and memory in proportion to the text. It repeats what the
// grammars of those texts consist of, each token and each two of them, and compares what reading takes at two lengths:
// the steps of the program, counted in every block of its code and of the libraries that read for it, and the bytes that
// it allocates. Both are the same on every machine. What such counters cannot see, as a search within the standard
// library, is held to a generous bound of processor time.
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
	flag.Func("only", "readers by `name`, separated by commas; all when not given", func(s string) error {
		p.readers = strings.Split(s, ",")
		return nil
	})
	flag.IntVar(&p.pairs, "pairs", 0, "read as well one of `n` texts of two tokens; 1 for all of them, 0 for none")
	flag.IntVar(&p.offset, "offset", 0, "which `one` of them that is")
	flag.BoolVar(&p.everywhere, "everywhere", false, "read texts in what they may stand in as well: functions, classes, sections")
	flag.IntVar(&p.size, "size", 8<<10, "how many `bytes` the shorter text has")
	child := flag.Bool("measure", false, "read trials from standard input; it runs itself so")
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
