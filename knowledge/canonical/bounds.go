package canonical

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// Limits for untrusted files. The YAML library uses about a hundred times the bytes of a value.
const (
	// mostValues is twice the count of the largest known node, which has 3 MB.
	mostValues = 1 << 18
	// deepest limits the nesting of lists and mappings; generated files use four levels.
	deepest = 32
)

// Reader reads the documents of an untrusted file. It rejects a file with too many values before parsing, and deep
// nesting while parsing.
func Reader(data []byte) (*yaml.Loader, error) {
	if n, line := values(data, mostValues); n > mostValues {
		return nil, fmt.Errorf("line %d: more than %d values up to here, which no file of causal's own has", line, mostValues)
	}
	return yaml.NewLoader(bytes.NewReader(data), yaml.WithV3Defaults(), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(deepest))))
}

var begins = func() (table [256]bool) {
	for _, c := range []byte("-?:,[{") {
		table[c] = true
	}
	return table
}()

// values counts the places where a value may begin, up to most+1, and returns the line of the last one. A document
// has at most twice as many values, because keys without a value have an empty one. Commas in texts count too:
// excluding them would require parsing quotes exactly like the library.
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
