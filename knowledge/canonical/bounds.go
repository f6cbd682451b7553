package canonical

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

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
// has at most twice as many values, because keys without a value have an empty one. Places in a text count too, unless
// it is surely one: signatures have many commas.
func values(data []byte, most int) (n, line int) {
	line = 1
	sure := true
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case c == '\n':
			line++
		case c == '"' || c == '\'' && (i == 0 || !inWord(data[i-1])):
			end := 0
			if sure && c == '"' {
				end = textEnd(data, i)
			}
			sure = end > 0
			i = max(i, end)
		case !begins[c] || (c == '-' || c == '?') && i+1 < len(data) && !blank(data[i+1]):
		default:
			if n++; n > most {
				return n, line
			}
		}
	}
	return n, line
}

// textEnd returns the position of the quote that ends the text begun at i, or 0 if what begins there may be something
// else, such as the end of a text of several lines.
func textEnd(data []byte, i int) int {
	before := string(data[max(i-2, 0):i])
	if !slices.Contains([]string{": ", "- ", ", "}, before) && !strings.HasSuffix(before, "[") && !strings.HasSuffix(before, "{") {
		return 0
	}
	for at := i + 1; at < len(data) && data[at] != '\n'; at++ {
		switch data[at] {
		case '\\':
			at++
		case '"':
			if at+1 == len(data) || bytes.IndexByte([]byte(",]}\n"), data[at+1]) >= 0 {
				return at
			}
			return 0
		}
	}
	return 0
}

func inWord(c byte) bool { return c >= 0x80 || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) }

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
