package plain

import (
	"fmt"
	"log/slog"
)

const (
	// longestInLog bounds the bytes of one value in a log line: enough for a stack, less than the line limit of log
	// collectors.
	longestInLog = 8 << 10
	mostInLog    = 50
)

// Attr makes the values of a log line harmless text. It is a ReplaceAttr of slog's handlers, which quote line ends.
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
