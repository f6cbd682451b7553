package plain

import "strings"

var (
	dataEscaper     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", "# #[")
	propertyEscaper = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C", "##[", "# #[")
)

// longestInRunner is the number of bytes that GitHub Actions shows of an annotation's message.
const longestInRunner = 4 << 10

// Data escapes the message of a command to the runner of GitHub Actions; line ends stay in the message.
func Data(text string) string { return dataEscaper.Replace(Text(text, longestInRunner)) }

// Property escapes a property of a command.
func Property(text string) string { return propertyEscaper.Replace(Line(text, longestInRunner)) }

// File escapes the name of a file for a command. The runner looks the file up, so its bytes are unchanged.
func File(name string) string { return propertyEscaper.Replace(name) }
