package plain

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/canonical"
)

// Fprintf is fmt.Fprintf for a trusted format and untrusted arguments: each argument is one line, and only the format
// adds line ends.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return io.WriteString(w, sprintf(format, args...))
}

// Add is Fprintf to a strings.Builder.
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

// Terminal removes control sequences for terminals, and commands to the runner of GitHub Actions, from its input. It is
// a last line of defence: use Fprintf for texts that are known to be untrusted.
type Terminal struct {
	W io.Writer

	begun bool // the current line has non-space characters
}

// Write implements io.Writer. Calls must not split characters.
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
			clean, t.begun = append(clean, '?', byte(r)), true // no longer a command to the runner
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

// JSON escapes invisible control characters and the start of runner commands, without changing the value.
func JSON(data []byte) []byte {
	return canonical.JSON(bytes.ReplaceAll(data, []byte("##["), []byte(`#\u0023[`)))
}
