package pagecheck

import (
	"fmt"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// The lines of a sequence diagram. Text must not contain characters with a meaning in Mermaid, which are written as
// numeric entities.
var (
	participant = lazyregexp.New(`^participant[ \t]+(p[0-9]+)[ \t]+as[ \t]+` + textForm + `$`)
	note        = lazyregexp.New(`^Note over (p[0-9]+):[ \t]+` + textForm + `$`)
	block       = lazyregexp.New(`^(?:opt|alt|loop|par)[ \t]+` + textForm + `$`)
	alternative = lazyregexp.New(`^else[ \t]+` + textForm + `$`)
	message     = lazyregexp.New(`^(p[0-9]+)->>(p[0-9]+):[ \t]+` + textForm + `$`)
)

const textForm = `(?:[\pL\pN ._/]|#[0-9]+;)+`

const sequenceHeader = "sequenceDiagram"

func (c *chart) sequence(line string) string {
	if line == "" {
		return ""
	}
	if m := participant.FindStringSubmatch(line); m != nil {
		c.participants = append(c.participants, m[1])
		return ""
	}
	switch {
	case block.MatchString(line):
		c.open++
		return ""
	case alternative.MatchString(line) && c.open > 0:
		return ""
	case line == "end" && c.open > 0:
		c.open--
		return ""
	}
	m := message.FindStringSubmatch(line)
	if m == nil {
		m = note.FindStringSubmatch(line)
	}
	if m == nil {
		return fmt.Sprintf("%q is not known in a sequence", line)
	}
	for _, id := range m[1:] {
		if !strings.Contains(" "+strings.Join(c.participants, " ")+" ", " "+id+" ") {
			return fmt.Sprintf("%s is no participant", id)
		}
	}
	c.edges++
	return ""
}
