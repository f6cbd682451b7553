// Command site looks for links that lead nowhere on sites that were built, such as those that causal init --site configures:
//
//	go -C app/proof run ./site DIRECTORY...
//
// Its test builds such sites and looks at them in a browser.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, dirs []string) error {
	bad := 0
	for _, dir := range dirs {
		s, err := read(os.DirFS(dir))
		if err != nil {
			return fmt.Errorf("read the site in %s: %w", dir, err)
		}
		broken := s.broken()
		for _, b := range broken {
			_, _ = fmt.Fprintln(out, b)
		}
		links, anchors := s.counts()
		_, _ = fmt.Fprintf(out, "%s: %d pages, %d links within the site, %d of them to an anchor, %d broken\n", dir, len(s.pages), links, anchors, len(broken))
		bad += len(broken)
	}
	if bad > 0 {
		return fmt.Errorf("%d links lead nowhere", bad)
	}
	return nil
}
