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
	full := flag.Bool("full", false, "read each two tokens as well as each by itself")
	only := flag.String("only", "", "readers by `name`, separated by commas; all when empty")
	child := flag.Bool("measure", false, "read trials from standard input (used by itself)")
	small := flag.Int("small", 8<<10, "how many `bytes` the smaller text has")
	factor := flag.Int("factor", 8, "how many times larger the other one is")
	flag.Parse()
	if err := run(*child, *full, *only, *small, *factor); err != nil {
		fmt.Fprintln(os.Stderr, "linear:", err)
		os.Exit(1)
	}
}

func run(child, full bool, only string, small, factor int) error {
	if child {
		return measure(os.Stdin, os.Stdout)
	}
	var names []string
	if only != "" {
		names = strings.Split(only, ",")
	}
	return hold(context.Background(), os.Stdout, names, full, small, factor)
}
