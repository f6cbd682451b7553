package plain

import (
	"fmt"
	"log/slog"
)

const (
	// longestInLog is how many bytes of one value a log line shows: room for a stack, and less than collectors of logs take
	// for one line.
	longestInLog = 8 << 10
	// mostInLog is how many of a list of texts it shows.
	mostInLog = 50
)

// Attr makes the values of a log line text that is shown whole and harmless; it is a ReplaceAttr of slog's handlers, which
// quote what ends lines.
func Attr(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(Text(a.Value.String(), longestInLog))
	case slog.KindAny:
		a.Value = anyValue(a.Value)
	default:
	}
	return a
}

func anyValue(v slog.Value) slog.Value {
	switch value := v.Any().(type) {
	case error:
		return slog.StringValue(Text(value.Error(), longestInLog))
	case fmt.Stringer:
		return slog.StringValue(Text(value.String(), longestInLog))
	case []string:
		var out []string
		for i, text := range value {
			if i == mostInLog {
				out = append(out, fmt.Sprintf("and %d more", len(value)-i))
				break
			}
			out = append(out, Line(text, Longest))
		}
		return slog.AnyValue(out)
	}
	return v
}
