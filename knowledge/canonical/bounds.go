package canonical

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// What a file may have that somebody else may have written. A value costs the library some hundred times the bytes that it may
// stand in.
const (
	// mostValues is twice what the largest node of the packages that were looked at has, one of 3 MB.
	mostValues = 1 << 18
	// deepest is how many lists and mappings may stand in one another; what is written here has four.
	deepest = 32
)

// Reader reads the documents of a file that may have been written by anybody: one of too many values is refused before any of
// them takes memory, and one that nests too deep where it does.
func Reader(data []byte) (*yaml.Loader, error) {
	if n, line := values(data, mostValues); n > mostValues {
		return nil, fmt.Errorf("line %d: more than %d values up to here, which no file of causal's own has", line, mostValues)
	}
	return yaml.NewLoader(bytes.NewReader(data), yaml.WithV3Defaults(), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(deepest))))
}

// begins are the bytes that a value may stand behind.
var begins = func() (table [256]bool) {
	for _, c := range []byte("-?:,[{") {
		table[c] = true
	}
	return table
}()

// values counts where a value may begin, up to one more than most, and tells in which line that was. A document has at most twice
// as many values: keys that are given none have an empty one. Commas in texts count as well: to leave them out it would have to
// read quotes as the library does, to the letter.
func values(data []byte, most int) (n, line int) {
	line = 1
	for i, c := range data {
		switch {
		case c == '\n':
			line++
		case !begins[c] || (c == '-' || c == '?') && i+1 < len(data) && !blank(data[i+1]):
		default:
			if n++; n > most {
				return n, line
			}
		}
	}
	return n, line
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
