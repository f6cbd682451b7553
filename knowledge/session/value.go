package session

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// writeValue writes a JSON value of a context slice after its key or dash, with nested lines at the indent.
func writeValue(w *canonical.Writer, indent int, v any) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			w.Raw(" {}\n")
			return
		}
		w.Raw("\n")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			w.Name(indent, key)
			writeValue(w, indent+2, v[key])
		}
	case []any:
		if len(v) == 0 {
			w.Raw(" []\n")
			return
		}
		w.Raw("\n")
		for _, element := range v {
			w.Dash(indent)
			writeValue(w, indent+2, element)
		}
	case string:
		w.Value(indent, v)
	case bool:
		w.Raw(" " + strconv.FormatBool(v) + "\n")
	case int:
		w.Raw(" " + strconv.Itoa(v) + "\n")
	case float64:
		w.Raw(" " + float(v) + "\n")
	default:
		w.Raw(" null\n")
	}
}

// float formats a number so it reads back as a float64.
func float(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
