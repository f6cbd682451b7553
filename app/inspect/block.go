package inspect

import (
	"context"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
)

// At finds the block of lines that a read showed. It is no tool of a model: its digest is the first line of the block, empty if the block
// is gone.
const At Tool = "at"

// mostHashed is how many bytes a search for a block hashes. Lines that moved are usually near.
const mostHashed = 8 << 20

// Pinned is a read by the block of lines that it showed: its fact holds while that block is anywhere in the file. A read of a whole file
// also shows that it has no other lines, and equal lines of a file cannot be distinguished: such reads keep their line numbers.
func (c Call) Pinned(out *Output) Call {
	if c.Tool != Read || c.Block != "" || len(out.Places) != 1 || out.Fixed {
		return c
	}
	p := out.Places[0]
	return Call{Tool: Read, About: c.About, From: p.From, To: p.From + len(p.Lines) - 1, Block: out.Digest}
}

// Locate is the fact of where the block of a read is now; false for other facts.
func Locate(f fact.Fact) (fact.Fact, bool) {
	c, err := ParseCall(f)
	if err != nil || c.Tool != Read || c.Block == "" {
		return fact.Fact{}, false
	}
	c.Tool = At
	return c.Fact(), true
}

// Move returns a cite and the fact of a read with the lines where its block is now. value is that of the fact of Locate. It reports false for
// a block that did not move, or that is gone.
func Move(f fact.Fact, value any) (now fact.Fact, move func(c grounding.Cite) (grounding.Cite, bool), moved bool) {
	c, err := ParseCall(f)
	out, _ := value.(*Output)
	if err != nil || out == nil || len(out.Places) == 0 || out.Places[0].From == c.From {
		return f, nil, false
	}
	by, before := out.Places[0].From-c.From, c
	c.From, c.To = c.From+by, c.To+by
	return c.Fact(), func(cite grounding.Cite) (grounding.Cite, bool) {
		if cite.File != before.About || cite.From < before.From || cite.To > before.To {
			return cite, false
		}
		cite.From, cite.To = cite.From+by, cite.To+by
		return cite, true
	}, true
}

// locate is the tool at.
func (f *Files) locate(ctx context.Context, c Call) (*Output, error) {
	c.Tool = Read
	out, err := f.lines(ctx, c)
	if err != nil || out.Digest != c.Block {
		return &Output{}, err
	}
	return &Output{Digest: strconv.Itoa(out.Places[0].From), Places: out.Places}, nil
}

// twice reports whether a block of lines occurs more than once.
func twice(all, lines []string) bool {
	times := 0
	for from := 0; from+len(lines) <= len(all) && times < 2; from++ {
		if slices.Equal(all[from:from+len(lines)], lines) {
			times++
		}
	}
	return times > 1
}

// block finds the first line of a block of lines: where it was, or the nearest place.
func block(all []string, c Call) (from int, ok bool) {
	n, left := c.To-c.From+1, mostHashed
	if n < 1 || n > longestRead { // a stored fact that was edited
		return 0, false
	}
	last := len(all) - n + 1 // that it can begin at
	begin := max(1, min(c.From, last))
	for away := 0; away < len(all) && left > 0; away++ {
		for _, from := range []int{begin - away, begin + away} {
			if from < 1 || from > last {
				continue
			}
			window := all[from-1 : from-1+n]
			for _, line := range window {
				left -= len(line) + 1
			}
			if fact.Digest(window...) == c.Block {
				return from, true
			}
		}
	}
	return 0, false
}
