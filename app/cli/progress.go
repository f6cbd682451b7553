package cli

import (
	"fmt"
	"strings"
)

// progress draws a status line on a terminal, and nothing elsewhere, because logs are read after the run.
type progress struct {
	world IO
	width int
}

func newProgress(world IO) *progress { return &progress{world: world} }

func (p *progress) show(what string, done, of int) {
	if !p.world.Terminal || of < 20 || done%max(of/100, 1) != 0 {
		return
	}
	line := fmt.Sprintf("%s %d/%d", what, done, of)
	_, _ = fmt.Fprintf(p.world.screen, "\r%-*s", p.width, line)
	p.width = len(line)
}

func (p *progress) clear() {
	if p.width > 0 {
		_, _ = fmt.Fprintf(p.world.screen, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}
