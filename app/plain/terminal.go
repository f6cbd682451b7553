package plain

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// Fprintf is fmt.Fprintf for a format of ours and texts of strangers: each text is one line, so that only the format begins
// a new one.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return io.WriteString(w, sprintf(format, args...))
}

// Add is Fprintf to a text in memory.
func Add(b *strings.Builder, format string, args ...any) { b.WriteString(sprintf(format, args...)) }

func sprintf(format string, args ...any) string {
	for i, arg := range args {
		switch value := arg.(type) {
		case string:
			args[i] = Line(value, Longest)
		case error:
			args[i] = Line(value.Error(), Longest)
		case fmt.Stringer:
			args[i] = Line(value.String(), Longest)
		}
	}
	return fmt.Sprintf(format, args...)
}

// Terminal keeps all that is written to it from talking to the terminal, and to the runner of GitHub Actions that reads what
// a step prints. It is the last net: who knows which part of a text is a stranger's uses Fprintf.
type Terminal struct {
	W io.Writer

	begun bool // a line that is more than white space so far
}

// Write implements io.Writer. Each call has whole characters.
func (t *Terminal) Write(p []byte) (int, error) {
	clean := make([]byte, 0, len(p))
	for at := 0; at < len(p); {
		r, size := utf8.DecodeRune(p[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			clean = fmt.Appendf(clean, `\x%02x`, p[at])
		case r == '\n':
			clean, t.begun = append(clean, byte(r)), false
		case bytes.HasPrefix(p[at:], []byte("\r\n")):
		case r == '\t' || r == ' ':
			clean = append(clean, byte(r))
		case ends(r), acts(r, previous(p[:at])):
			clean = append(clean, '?')
		case !t.begun && bytes.HasPrefix(p[at:], []byte("::")), r == '[' && bytes.HasSuffix(p[:at], []byte("##")):
			clean, t.begun = append(clean, '?', byte(r)), true // a command to the runner is one no more
		default:
			clean, t.begun = append(clean, p[at:at+size]...), true
		}
		at += size
	}
	if _, err := t.W.Write(clean); err != nil {
		return 0, err
	}
	return len(p), nil
}

func previous(p []byte) rune {
	r, _ := utf8.DecodeLastRune(p)
	return r
}

// JSON writes what is obeyed and not seen as escapes, and what begins a command within a line, which changes nothing of what JSON says.
func JSON(data []byte) []byte {
	return canonical.JSON(bytes.ReplaceAll(data, []byte("##["), []byte(`#\u0023[`)))
}
