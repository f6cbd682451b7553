package plain

import "strings"

var (
	dataEscaper     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", "# #[")
	propertyEscaper = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C", "##[", "# #[")
)

// longestInRunner is how many bytes GitHub Actions shows of the message of an annotation.
const longestInRunner = 4 << 10

// Data is a text of a command to the runner of GitHub Actions, all of it: its lines are lines of the one message.
func Data(text string) string { return dataEscaper.Replace(Text(text, longestInRunner)) }

// Property is a text that a command has beside its message.
func Property(text string) string { return propertyEscaper.Replace(Line(text, longestInRunner)) }

// File is the name of a file that a command is about. The runner looks the file up, so the name stays what it is, to the byte.
func File(name string) string { return propertyEscaper.Replace(name) }
